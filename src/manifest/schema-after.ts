// The services that a service comes up after.
import * as Type from 'typebox'
import { afterForms } from './forms.js'
import { oneOf } from './schema-words.js'

/** Pattern of the names of projects and services. */
export const dnsLabel = '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'

const dependency = Type.Object(
  {
    service: Type.String({
      pattern: dnsLabel,
      expected: 'the name of a service of the project',
      description: 'A service of the same project.',
    }),
    condition: oneOf(['started', 'healthy', 'completed'], {
      default: 'started',
      description:
        '`started`: an instance of that service runs. `healthy`: an instance is up: healthy if it has health checks, otherwise running for a second. `completed`: a run has ended with status 0, for services that are not continuous.',
    }),
  },
  {
    additionalProperties: false,
    needs: ['service'],
    expected: afterForms,
    loose: [{ type: 'string', pattern: dnsLabel }],
  },
)

export const after = Type.Array(dependency, {
  maxItems: 100,
  expected: 'a list of services, at most 100',
  title: 'After',
  description:
    'Services of the same project that this service waits for before its first instance is made, after the first deploy or `project start`. `project stop` stops this service before them. Once it has been up, their state no longer affects it.',
  examples: [
    ['db'],
    [
      { service: 'db', condition: 'healthy' },
      { service: 'migrate', condition: 'completed' },
    ],
  ],
  loose: [{ type: 'string', pattern: dnsLabel }],
})
