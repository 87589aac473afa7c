// The journal of a machine that can take no more watchers, as the kernel counts them: real limits, real journalctl.
import { expect, test } from 'vitest'
import { readJournal } from '../../src/drivers/systemd/io/journal.js'
import { asUnitName } from '../../src/unit/name.js'

/** Runs a program where the kernel gives its user no inotify instance: in a name space, so that nobody else goes without. */
const unwatched = [
  ...['unshare', '--user', '--map-root-user', 'sh', '-c'],
  ...['echo 0 > /proc/sys/user/max_inotify_instances && exec "$@"', 'sh'],
]

test('a journal that cannot be followed is told as that, not as one in which nothing more happens', async () => {
  const follow = async (): Promise<void> => {
    const query = { follow: true, since: null, tail: null }
    const host = { root: '', enter: unwatched }
    for await (const _ of readJournal(host, asUnitName('web.service'), query, AbortSignal.timeout(60_000)));
  }
  await expect(follow()).rejects.toMatchObject({
    code: 'systemd/no-journal',
    permanent: false,
    message: expect.stringMatching(
      /cannot be followed: .*watch descriptors.* fs\.inotify\.max_user_instances/,
    ) as string,
  })
})
