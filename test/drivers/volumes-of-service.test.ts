// The named volumes of a service that is deleted with them.
import { expect, test } from 'vitest'
import { deleteVolumesOfService } from '../../src/drivers/io/volumes-of-service.js'

const of = { project: 'default', service: 'db' }

test('one that cannot be deleted keeps none of the others, and is told of', async () => {
  const volumes = ['first', 'second', 'third'].map((name) => ({ ...of, name }))
  const deleted: string[] = []
  const deleting = deleteVolumesOfService(
    volumes,
    { uuid: 'db-uuid', project: 'default', name: 'db', isReplaced: false },
    async ({ name }) => {
      if (name === 'first') throw new Error('the volume is in use')
      deleted.push(name)
    },
  )
  await expect(deleting).rejects.toThrow('in use')
  expect(deleted).toEqual(['second', 'third'])
})
