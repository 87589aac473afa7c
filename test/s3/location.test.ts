import { expect, test } from 'vitest'
import { parseS3Location, s3AccountOf, s3Url } from '../../src/s3/location.js'

const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }

test('an object is a bucket and a key', () => {
  expect(parseS3Location('s3://vault/a/b c+ü.tar.zst')).toEqual({ bucket: 'vault', key: 'a/b c+ü.tar.zst' })
})

test.each([
  ['s3://', 'not a bucket name'],
  ['s3://Vault/a', 'not a bucket name'],
  ['s3://a..b/a', 'not a bucket name'],
  ['s3://vault', 'names no object'],
  ['s3://vault/', 'names no object'],
  ['s3://vault/a/', 'no empty part'],
  ['s3://vault//a', 'no empty part'],
  ['s3://vault/../a', 'no empty part'],
  [`s3://vault/${'ü'.repeat(509)}`, 'at most 1017 bytes'],
  ['s3://vault/a\nb', 'no control characters'],
])('%j is no object: %s', (text, message) => {
  expect(parseS3Location(text)).toEqual({
    message: expect.stringContaining(message),
    hint: expect.any(String),
  })
})

test('the environment says who asks, and our own variable goes before those of others', () => {
  expect(s3AccountOf({ ...keys, AWS_ENDPOINT_URL: 'http://a', AWS_DEFAULT_REGION: 'eu-west-1' })).toEqual({
    ...{ accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: null },
    ...{ endpoint: 'http://a', region: 'eu-west-1' },
  })
  const both = {
    ...keys,
    MARIPOSA_S3_ENDPOINT: 'https://b:9000',
    AWS_ENDPOINT_URL: 'http://a',
    AWS_REGION: '',
  }
  expect(s3AccountOf(both)).toMatchObject({ endpoint: 'https://b:9000', region: 'us-east-1' })
})

test.each([
  [{}, 'no credentials'],
  [{ ...keys, AWS_SECRET_ACCESS_KEY: '' }, 'no credentials'],
  [{ ...keys, MARIPOSA_S3_ENDPOINT: 'minio:9000' }, 'not an endpoint'],
  [{ ...keys, MARIPOSA_S3_ENDPOINT: 'http://minio/path' }, 'not an endpoint'],
  [{ ...keys, AWS_REGION: 'evil.example/' }, 'not a region'],
])('%j is refused: %s', (env, message) => {
  expect(s3AccountOf(env)).toMatchObject({ message: expect.stringContaining(message) })
})

test.each([
  { ...keys, AWS_SESSION_TOKEN: 'hidden\nx' },
  { ...keys, AWS_SESSION_TOKEN: 'hiddené' },
  { ...keys, AWS_ACCESS_KEY_ID: 'hidden\r' },
  { ...keys, AWS_SECRET_ACCESS_KEY: 'hidden\n' },
  { ...keys, MARIPOSA_S3_ENDPOINT: 'http://user:hidden@minio:9000' },
])('what is wrong with %j is told without its value', (env) => {
  const told = s3AccountOf(env)
  expect(told).toHaveProperty('message')
  expect(JSON.stringify(told)).not.toContain('hidden')
})

test('buckets are hosts at Amazon, where certificates allow it, and paths elsewhere', () => {
  const account = { ...{ accessKeyId: '', secretAccessKey: '', sessionToken: null }, region: 'eu-west-1' }
  const amazon = { ...account, endpoint: null }
  expect(s3Url(amazon, { bucket: 'vault', key: 'a/b c+(1)' })).toBe(
    'https://vault.s3.eu-west-1.amazonaws.com/a/b%20c%2B%281%29',
  )
  expect(s3Url(amazon, { bucket: 'va.ult', key: 'a' })).toBe('https://s3.eu-west-1.amazonaws.com/va.ult/a')
  expect(s3Url({ ...account, endpoint: 'http://m:9000/' }, { bucket: 'va', key: 'a' }, { uploads: '' })).toBe(
    'http://m:9000/va/a?uploads=',
  )
})
