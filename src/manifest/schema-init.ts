// Programs that have to succeed before the program of an instance starts.
import * as Type from 'typebox'
import { stepForms } from './forms.js'
import { argv, seconds } from './schema-words.js'

const step = Type.Object(
  {
    command: argv('Command', 'The program of the step and its arguments.', [['./migrate', '--all']]),
    image: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        pattern: '^\\S+$',
        expected: 'the name of an image, such as migrations:1.4',
        title: 'Image',
        description:
          'The image that the step runs in, instead of the image of the service. Its user, working directory and variables are the defaults for those that the manifest does not set. Only for `docker`.',
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
    'Programs that run one after the other before the program is started: each has to end with status 0 before the next one begins. They have the environment, files, volumes, user, working directory and limits of the program. For `process` they run before each start, including restarts on the machine. For `docker` they run once before the first start of a container, each in a container of the same image or of its own `image`; the step replaces entrypoint and command of the image. A failed step is a failed start, which `restart` handles. `init: [STEP, …]` means the same. Only for `process` and `docker`.',
  examples: [['./prepare'], [{ command: ['sh', '-c', 'test -s config || ./make-config'] }]],
  loose: [{ type: 'string', minLength: 1 }],
})

export const initTimeout = Type.Number({
  ...seconds(1, 86_400),
  title: 'Init timeout',
  description: 'Seconds after which one of the `init_steps` is killed and counts as failed; default 90.',
  examples: ['10m'],
})
