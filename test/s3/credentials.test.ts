// Who asks a store, as a secret of the metadata says it.
import { expect, test } from 'vitest'
import { parseS3Credentials } from '../../src/s3/credentials.js'

const whole = 'AWS_ACCESS_KEY_ID=id\nAWS_SECRET_ACCESS_KEY=se=cret'

test.each([
  ['plain', whole],
  [
    'with export, quotes, comments, blank lines and ends of lines of Windows',
    `\uFEFF# a\r\n\r\n export ${whole.replace('id', '"id"').replaceAll('\n', '\r\n')}\r\n`,
  ],
])('lines are read: %s', (_, text) => {
  expect(parseS3Credentials(text)).toEqual({
    ...{
      accessKeyId: 'id',
      secretAccessKey: 'se=cret',
      sessionToken: null,
      endpoint: null,
      region: 'us-east-1',
    },
  })
})

test.each([
  ['', 'there are no credentials'],
  ['AWS_ACCESS_KEY_ID=id', 'there are no credentials'],
  [`${whole}\nsomething-secret`, 'its line 3 is not NAME=VALUE'],
  [`${whole} b`, 'AWS_SECRET_ACCESS_KEY has a character'],
  [`${whole}\nMARIPOSA_S3_ENDPOINT=ftp://me:se=cret@x`, 'is not an endpoint'],
])('what is wrong is told without what is secret: %j', (text, message) => {
  const problem = JSON.stringify(parseS3Credentials(text))
  expect(problem).toContain(message)
  expect(problem).not.toMatch(/se=cret|something-secret/)
})
