// Parts of many answers: errors, the reason why no daemon decides, lines of logs.
import { diagnostic } from './model.js'
import { list, optional, part, shape, text, told, words } from './words.js'

export const errorBody = shape('ErrorBody', 'The body of every 4xx and 5xx answer.', {
  error: part({
    code: text(),
    message: text(),
    hint: optional(text()),
    details: list(diagnostic),
  }),
})

export const heldBody = shape(
  'HeldBody',
  'Why no daemon decides anything now: code, message and hint of an error.',
  {
    code: text(),
    message: text(),
    hint: optional(text()),
  },
)

export const looked = shape('Looked', 'Part of every message about something that the caller waits for.', {
  held: optional(told(heldBody, 'Why nothing progresses now; absent while a daemon leads.')),
})

export const logRecord = shape(
  'LogRecord',
  'One line of a log (newline-separated JSON). Query: `follow`, `since` (RFC 3339), `tail`.',
  {
    at: text(),
    instance: text(),
    stream: words(['stdout', 'stderr']),
    line: text(),
    machine: optional(text('Only for a global unit: name of the machine where the line was written.')),
    error: optional(
      text(
        'Code of the error that kept the logs of the instance from being read, at all or any further; `line` has its message.',
      ),
    ),
  },
)
