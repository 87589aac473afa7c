import { defineConfig } from 'vitest/config'

/**
 * Two sets of tests. `local` needs Node and nothing else. `machines` needs root, Docker and systemd, and starts
 * both itself (test/machines/); it fails where it cannot, it never skips.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'local',
          include: ['test/**/*.test.ts'],
          exclude: ['test/machines/**'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'machines',
          include: ['test/machines/**/*.test.ts'],
          globalSetup: ['test/machines/setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
