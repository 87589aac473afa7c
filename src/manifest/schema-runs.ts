// Runs of a service that is not continuous.
import * as Type from 'typebox'
import { seconds } from './schema-words.js'

export const concurrency = Type.Integer({
  minimum: 1,
  maximum: 1_000,
  expected: 'a whole number from 1 to 1000',
  title: 'Concurrency',
  description:
    'Maximum number of runs at the same time. Further starts wait in order until a run has ended. Default: no limit. Only for services that are not continuous.',
  examples: [1],
})

export const runTimeout = Type.Number({
  ...seconds(1, 31_536_000),
  title: 'Timeout',
  description:
    'Maximum duration of the program of a run, in seconds from its start; a local restart starts the time again. After that the program is stopped as set by `stop`, and the run has failed. Only for services that are not continuous.',
  examples: ['10m'],
})

export const retries = Type.Integer({
  minimum: 1,
  maximum: 1_000,
  expected: 'a whole number from 1 to 1000',
  title: 'Retries',
  description:
    'Maximum number of restarts of a failed run on the same machine, with a back-off that grows from 100 ms to a minute. `restart: on-failure:N` means the same. Only for services that are not continuous.',
  examples: [3],
})
