// What `If-None-Match` names (RFC 9110, 13.1.2).
import { expect, test } from 'vitest'
import { namesTag } from '../../src/api/etag.js'

const tag = '"a1,b"'

test.each([
  ['the tag', '"a1,b"'],
  ['it marked as weak', 'W/"a1,b"'],
  ['a list with it', '"x", W/"y" ,"a1,b"'],
  ['a list without blanks', '"x","a1,b","y"'],
  ['anything', ' * '],
])('%s is what there is', (_what, header) => {
  expect(namesTag(header, tag)).toBe(true)
  expect(namesTag(header, `W/${tag}`)).toBe(true)
})

test.each([
  ['no header', undefined],
  ['an empty one', ''],
  ['another tag', '"a1"'],
  ['a list of others', '"x", "y", W/"a1"'],
  ['a tag without its quotes', 'a1,b'],
  ['a star in quotes', '"*"'],
])('%s is not', (_what, header) => {
  expect(namesTag(header, tag)).toBe(false)
})
