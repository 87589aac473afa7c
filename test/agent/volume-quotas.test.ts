// Quotas of projects: which file systems enforce them, which project a directory is, and what the programs of the host say.
import { expect, test } from 'vitest'
import {
  hasQuotas,
  projectOf,
  quotaMountOf,
  readHardLimit,
  readProjectMark,
} from '../../src/agent/volume-quotas.js'

const mounts = `22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
25 22 7:0 / /srv/with\\040blank rw,relatime - ext4 /dev/loop0 rw,prjquota
26 22 7:1 / /xdata rw,relatime shared:9 master:1 - xfs /dev/loop1 rw,attr2,inode64,prjquota
27 26 7:2 / /xdata/plain rw,relatime - xfs /dev/loop2 rw,attr2,inode64,noquota
28 26 7:3 / /xdata/counted rw,relatime - xfs /dev/loop3 rw,attr2,inode64,pqnoenforce
`

test.each([
  ['/var/lib/mariposa', null],
  ['/srv/with blank/volumes/a', '/srv/with blank'],
  ['/srv/with', null],
  ['/xdata', '/xdata'],
  ['/xdata/volumes', '/xdata'],
  ['/xdatabase', null],
  ['/xdata/plain/volumes', null],
  ['/xdata/counted/volumes', null],
])('a directory is where the innermost mount says: %s', (path, mount) => {
  expect(quotaMountOf(mounts, path)).toBe(mount)
})

test('what is mounted later at the same place covers what was there', () => {
  expect(quotaMountOf(`${mounts}29 26 0:40 / /xdata rw - tmpfs tmpfs rw`, '/xdata/volumes')).toBe(null)
})

test('a machine without such quotas is not asked further', () => {
  expect(hasQuotas(mounts)).toBe(true)
  expect(hasQuotas(mounts.split('\n')[0] ?? '')).toBe(false)
  expect(hasQuotas('')).toBe(false)
})

test('each directory is a project of its own, above the numbers of people and within 32 bits', () => {
  // The first directories of the parts of an xfs of 2 TB.
  const inodes = [128, 2 ** 30 + 128, 2 ** 31 + 128, 2 ** 31 + 2 ** 30 + 128]
  const projects = inodes.map(projectOf)
  expect(new Set(projects).size).toBe(inodes.length)
  expect(Math.min(...projects)).toBeGreaterThanOrEqual(2 ** 30)
  expect(Math.max(...projects)).toBeLessThan(2 ** 31)
})

test.each([
  ['    0 --------------e------- /data/v\n', { project: 0, isInherited: false }],
  ['1073741900 --------------e----P-- /data/v\n', { project: 1_073_741_900, isInherited: true }],
  ['1073741901 -------------------P-- /a b\n', { project: 1_073_741_901, isInherited: true }],
  ['lsattr: Operation not supported\n', null],
  ['', null],
])('what lsattr says of a directory: %j', (said, mark) => {
  expect(readProjectMark(said)).toEqual(mark)
})

const head = `Disk quotas for project #1073741900 (pid 1073741900): 
     Filesystem  blocks   quota   limit   grace   files   quota   limit   grace
`

test.each([
  [`${head}     /dev/loop0       2       0    8192       0       2       0       0       0\n`, 8192],
  [`${head}     /dev/loop0    8192*      0    8192       0       2       0       0       0\n`, 8192],
  [`${head}     /dev/loop0       2       0       0       0       2       0       0       0\n`, 0],
  ['Disk quotas for project #1073741900 (pid 1073741900): none\n', null],
  ['', null],
])('what quota says of a project: %j', (said, limit) => {
  expect(readHardLimit(said)).toBe(limit)
})
