// Shapes of what every answer may hold: errors, why nothing goes on, lines of logs.
import { diagnostic } from './model.js'
import { list, optional, part, shape, text, told, words } from './words.js'

export const errorBody = shape('ErrorBody', 'Every 4xx and 5xx answer.', {
  error: part({
    code: text(),
    message: text(),
    hint: optional(text()),
    details: list(diagnostic),
  }),
})

export const heldBody = shape(
  'HeldBody',
  'Why no daemon decides anything now, as the code and the sentences of an error.',
  {
    code: text(),
    message: text(),
    hint: optional(text()),
  },
)

export const looked = shape('Looked', 'What every look at something that is waited for has beside its own.', {
  held: optional(told(heldBody, 'Nothing goes on until that has ended; absent where somebody leads.')),
})

export const logRecord = shape(
  'LogRecord',
  'One line of the logs stream (newline-separated JSON). Query: `follow`, `since` (RFC 3339), `tail`.',
  {
    at: text(),
    instance: text(),
    stream: words(['stdout', 'stderr']),
    line: text(),
    machine: optional(text('Of a global unit: the name of the machine that it was written on.')),
    error: optional(
      text('The code of what kept its logs from being read, or read on; the line says it in words.'),
    ),
  },
)
