// Which sockets take connections at a path.
import { expect, test } from 'vitest'
import { listenersAt } from '../../../src/drivers/docker/listeners.js'

const table = `Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 12345 /run/docker.sock
0000000000000000: 00000003 00000000 00000000 0001 03    77 /run/docker.sock
0000000000000000: 00000002 00000000 00010000 0001 01 99999 /run/other one.sock
0000000000000000: 00000003 00000000 00000000 0001 03 55555
`

test('those that take connections count, and not the connections themselves', () => {
  expect(listenersAt(table, ['/var/run/docker.sock', '/run/docker.sock'])).toEqual(['12345'])
  expect(listenersAt(table, ['/run/other one.sock'])).toEqual(['99999'])
  expect(listenersAt(table, ['/run/none.sock'])).toEqual([])
})
