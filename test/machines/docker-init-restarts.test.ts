// Docker itself goes down beneath an init step: what it ended has neither ended well nor failed.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { until } from '../e2e/cluster.js'
import { hostsOf } from '../e2e/host.js'
import { type DockerHost, startDocker } from './docker-host.js'
import { onDocker } from './docker-place.js'
import { siteOn } from './init-site.js'

const program = builtProgram(join(import.meta.dirname, '../../dist/mariposa.js'))
const first = 'echo first >> /notes/notes'
const waiting = 'echo second >> /notes/notes; until [ -e /notes/go ]; do sleep 0.1; done'
/** Ends well when it is asked to end. */
const polite = `trap "exit 0" TERM; ${waiting}`

describe.each([{ liveRestore: false }, { liveRestore: true }])(
  'an init step under a Docker with live-restore $liveRestore',
  // The waits within have longer limits than a minute: a start of Docker one, and each `until` two.
  { timeout: 240_000 },
  (wish) => {
    let dockerHost: DockerHost
    beforeAll(async () => {
      dockerHost = await startDocker(wish)
    })
    afterAll(async () => await dockerHost.stop())
    const openHost = hostsOf(
      program,
      onDocker('init-restarts', () => dockerHost.socketPath),
    )

    const cases = [
      { what: 'that ends well when it is asked to', step: polite, goes: 'shutDown', daemon: 'goes on' },
      { what: 'that has to be killed', step: waiting, goes: 'shutDown', daemon: 'goes on' },
      {
        what: 'that ends well when it is asked to',
        step: polite,
        goes: 'shutDown',
        daemon: 'is killed before',
      },
      { what: 'that has to be killed', step: waiting, goes: 'shutDown', daemon: 'is killed before' },
      { what: 'that runs', step: waiting, goes: 'crash', daemon: 'goes on' },
    ] as const
    // With live-restore containers outlive Docker, so that nothing is cut off.
    test.each(wish.liveRestore ? [] : cases)(
      '$what is run anew after a $goes of Docker, and no other; the daemon $daemon',
      async ({ step, goes, daemon }) => {
        const { host, notes, deploy, go } = siteOn(openHost())
        const running = await host.startDaemon()
        const deploying = host.start(...deploy([first, step], 'restart: "no"'))
        await until(() => expect(notes()).toEqual(['first', 'second']))
        if (daemon === 'is killed before') {
          deploying.signal('SIGKILL')
          running.signal('SIGKILL')
          await running.ended
        }
        await dockerHost[goes]()
        await dockerHost.recover()
        if (daemon === 'is killed before') await host.startDaemon()
        await until(() => expect(notes()).toEqual(['first', 'second', 'second']))
        go()
        await until(() => expect(notes()).toEqual(['first', 'second', 'second', 'main']))
        if (daemon === 'goes on') expect((await deploying.ended).code).toBe(0)
      },
    )

    test.each(wish.liveRestore ? ['has ended as it did'] : [])(
      'that ends while Docker is away %s',
      async () => {
        const { host, notes, deploy, go } = siteOn(openHost())
        await host.startDaemon()
        const deploying = host.start(
          ...deploy([first, `${waiting}; echo done >> /notes/notes`], 'restart: "no"'),
        )
        await until(() => expect(notes()).toEqual(['first', 'second']))
        await dockerHost.shutDown()
        go()
        await until(() => expect(notes()).toEqual(['first', 'second', 'done']))
        await dockerHost.recover()
        await until(() => expect(notes()).toEqual(['first', 'second', 'done', 'main']))
        expect((await deploying.ended).code).toBe(0)
      },
    )
  },
)
