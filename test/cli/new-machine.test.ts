import { expect, test } from 'vitest'
import { parseNewMachine } from '../../src/cli/new-machine.js'

test('a machine to add has a name, and says each thing of itself once', () => {
  expect(parseNewMachine('m7:memory=64G,cpus=1.5,metadata=a=1,metadata=b=2=3')).toEqual({
    name: 'm7',
    ...{ memoryMb: 65_536, cpus: 1.5, metadata: { a: '1', b: '2=3' } },
  })
  expect(parseNewMachine('m7:memory=1G,memory=2G')).toBe("m7: 'memory' is given twice")
  expect(parseNewMachine('m7:cpus=1,cpus=1')).toBe("m7: 'cpus' is given twice")
  expect(parseNewMachine('m7:metadata=a=1,metadata=a=2')).toBe("m7: 'metadata=a' is given twice")
  expect(parseNewMachine('m7:metadata=constructor=1')).toMatchObject({ metadata: { constructor: '1' } })
})
