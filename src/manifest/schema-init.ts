// Programs that have to end well before the program of an instance starts.
import * as Type from 'typebox'
import { stepForms } from './forms.js'
import { argv, seconds } from './schema-words.js'

const step = Type.Object(
  {
    command: argv('Command', 'The program of the step and its words.', [['./migrate', '--all']]),
    image: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        pattern: '^\\S+$',
        expected: 'the name of an image, such as migrations:1.4',
        title: 'Image',
        description:
          "The image that the step runs in, instead of the service's. Its own user, working directory and variables count where the manifest says none. For `docker` alone.",
        examples: ['registry.example/migrations:1.4'],
      }),
    ),
  },
  {
    additionalProperties: false,
    needs: ['command'],
    expected: stepForms,
    loose: [{ type: 'string', minLength: 1 }],
  },
)

export const initSteps = Type.Array(step, {
  minItems: 1,
  maxItems: 20,
  expected: 'a list of steps, from 1 to 20',
  title: 'Init steps',
  description:
    'Programs that run one after the other before the program is started: each has to end with status 0 before the next one begins. They have the environment, files, volumes, user, working directory and limits of the program. For `process` they run before each start, restarts on the machine included; for `docker` once before the first start of a container, each in a container of the same image or of an `image` of its own, where a step takes the place of its entrypoint and command. A step that fails is a failed start, of which `restart` says what follows. `init: [STEP, …]` says the same. For `process` and `docker`.',
  examples: [['./prepare'], [{ command: ['sh', '-c', 'test -s config || ./make-config'] }]],
  loose: [{ type: 'string', minLength: 1 }],
})

export const initTimeout = Type.Number({
  ...seconds(1, 86_400),
  title: 'Init timeout',
  description:
    'Seconds that each of `init_steps` may take before it is killed and has failed; 90 without it.',
  examples: ['10m'],
})
