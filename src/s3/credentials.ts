// Which store is asked, and as whom, as a text of variables says it: those of the environment of `volume backup s3://…`.
import { type S3Account, type S3Problem, s3AccountOf } from './location.js'

const assignment = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$/
const quoted = /^(["'])(.*)\1$/s

/** Reads lines of `NAME=VALUE`, with blank ones and comments (#) among them. What is wrong is told without any of the text. */
export function parseS3Credentials(text: string): S3Account | S3Problem {
  const variables: Record<string, string> = {}
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const [, name, value = ''] = assignment.exec(line) ?? []
    if (name === undefined)
      return {
        message: `its line ${index + 1} is not NAME=VALUE`,
        hint: 'write AWS_ACCESS_KEY_ID=…, AWS_SECRET_ACCESS_KEY=… and MARIPOSA_S3_ENDPOINT=…, each on a line',
      }
    const bare = value.trim()
    variables[name] = quoted.exec(bare)?.[2] ?? bare
  }
  return s3AccountOf(variables)
}
