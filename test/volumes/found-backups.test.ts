// Which backup by schedule an id stands for.
import { expect, test } from 'vitest'
import { backupId } from '../../src/backup/names.js'
import type { BackupRecord } from '../../src/model/backup.js'
import type { ClusterView } from '../../src/store/view.js'
import { findBackup } from '../../src/volumes/backups.js'

const made = (to: string, expired = false) => ({ to, ...(expired && { expired: true }) })
const records: Readonly<Record<string, readonly unknown[]>> = {
  'default/db': [made('/backups/kept'), made('/backups/old', true)],
  'other/db': [made('/backups/other')],
  'many/db': Array.from({ length: 3000 }, (_, n) => made(`/backups/${n}`)),
}
const view = {
  servicesWithBackups: () => Object.keys(records),
  backupsOf: (key: string) => new Map([[key, { made: records[key] } as unknown as BackupRecord]]),
} as unknown as ClusterView

const found = (project: string, word: string): string => {
  const one = findBackup(view, project, word)
  return 'made' in one ? one.made.to : `${one.status} ${one.code} ${one.message}`
}

test('an id, or the beginning of it in either case, stands for a backup of its project alone', () => {
  const id = backupId('/backups/kept')
  expect(['', id.slice(0, 4), id, id.toUpperCase()].map((word) => found('default', word))).toEqual([
    expect.stringContaining('404 volume/unknown-backup there is no complete scheduled backup'),
    ...Array.from({ length: 3 }, () => '/backups/kept'),
  ])
  expect(found('default', id.slice(0, 3))).toContain('volume/unknown-backup')
  expect(found('other', id)).toContain('volume/unknown-backup')
  expect(found('defaul', id)).toContain('volume/unknown-backup')
})

test('what has expired is said to have, and what stands for several names all of them', () => {
  expect(found('default', backupId('/backups/old'))).toContain('has expired')
  const ids = Array.from({ length: 3000 }, (_, n) => backupId(`/backups/${n}`)).sort()
  const twin = ids.find((id, n) => ids[n + 1]?.startsWith(id.slice(0, 4))) ?? ''
  expect(found('many', twin.slice(0, 4))).toMatch(
    /^409 volume\/ambiguous-backup .* is ambiguous: it matches \d backups: /,
  )
  expect(found('many', twin)).toMatch(/^\/backups\//)
})
