// How the runs of a service that is not continuous go.
import * as Type from 'typebox'
import { seconds } from './schema-words.js'

export const concurrency = Type.Integer({
  minimum: 1,
  maximum: 1_000,
  expected: 'a whole number from 1 to 1000',
  title: 'Concurrency',
  description:
    'How many runs there may be at a time. Starts beyond that wait, in their order, until a run has ended; without it none waits. For services that are not continuous alone.',
  examples: [1],
})

export const runTimeout = Type.Number({
  ...seconds(1, 31_536_000),
  title: 'Timeout',
  description:
    'Seconds that the program of a run may take from its start, a local restart beginning anew; then it is stopped as `stop` says, and the run has failed. For services that are not continuous alone.',
  examples: ['10m'],
})

export const retries = Type.Integer({
  minimum: 1,
  maximum: 1_000,
  expected: 'a whole number from 1 to 1000',
  title: 'Retries',
  description:
    'How often the program of a run is started again when it fails, on the same machine, after 100 ms and then ever later up to a minute. It says the same as `restart: on-failure:N`. For services that are not continuous alone.',
  examples: [3],
})
