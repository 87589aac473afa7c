import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes minutes begins first, so that nothing else is waited for with it: the longest of all computes alone. */
const longest = [
  'manifest/fuzz',
  'e2e/one-machine',
  'engine/scheduler-oracle',
  'e2e/rollouts',
  'e2e/fleetctl',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return at === -1 ? longest.length : at
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/** Builds what tests run as a process of its own. */
const program = ['test/program-setup.ts']

/** What is polled for comes by itself; on a busy machine that takes longer than the second of vitest's own. */
const patient = { poll: { timeout: 30_000 } }

/** What tests share that need nothing but Node. */
const alone = {
  globalSetup: program,
  setupFiles: ['test/random-seed.ts'],
  // A process for each file would read the same modules hundreds of times, and that would be most of the run. What a test
  // changes of its process, it puts back.
  isolate: false,
  // Some run a command forty times, or a property a thousand times, beside four other files on two slow processors.
  testTimeout: 240_000,
  hookTimeout: 120_000,
  expect: patient,
}

/**
 * Five sets of tests. `local` needs Node and nothing else, and is quick. `e2e` needs no more, but takes long: it runs the program,
 * its daemon or its supervisor (`test/e2e`, and `*.e2e.test.ts` beside the quick tests of the same subject). `etcd` needs the programs etcd and etcdctl. `machines` needs
 * root, Docker and systemd, and starts both itself (test/machines/). `cluster` needs root and etcd, and boots machines of
 * its own (test/machines/cluster/). They fail where they cannot, they never skip.
 */
export default defineConfig({
  test: {
    // Most tests wait for programs rather than compute: more of them at a time than there are processors.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // What a module becomes is kept by its text: half of what a run takes before its first test, and .ci/run has eight of them.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest-modules' },
    projects: [
      {
        test: {
          ...alone,
          name: 'local',
          // These compute more than they wait, and each worker reads the modules for itself.
          maxWorkers: 3,
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/**/*.e2e.test.ts', 'test/machines/**', 'test/**/etcd*.test.ts'],
        },
      },
      {
        test: {
          ...alone,
          name: 'e2e',
          include: ['test/e2e/*.test.ts', 'test/**/*.e2e.test.ts'],
          exclude: ['test/e2e/etcd*.test.ts'],
        },
      },
      {
        test: {
          name: 'etcd',
          include: ['test/**/etcd*.test.ts'],
          globalSetup: program,
          // Beside the tests on machines and clusters, as .ci/run has them, what takes half a minute alone takes two.
          testTimeout: 240_000,
          hookTimeout: 60_000,
          expect: patient,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'machines',
          include: ['test/machines/*.test.ts'],
          globalSetup: [...program, 'test/machines/setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          expect: patient,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'cluster',
          include: ['test/machines/cluster/*.test.ts'],
          globalSetup: program,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: patient,
          maxWorkers: 1,
        },
      },
    ],
  },
})
