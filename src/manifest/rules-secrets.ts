// Secrets that stand in plain sight: a manifest is kept, listed and compared, so they belong into the metadata.
import { hiddenValue } from './hide-secrets.js'
import { itemOf, type Rule, type RuleInput } from './rule.js'
import { childOf, type Entry, type ScalarNode, type Tree } from './tree.js'

export const secretRules: readonly Rule[] = [
  environmentHidesSecrets,
  triggersHideSecrets,
  webhooksHideSecrets,
]

const secretName = /PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|PRIVATE_?KEY/i
/** Names of what is about a secret rather than one. */
const aboutSecret = /_(FILE|PATH|DIR|URL|TTL|EXPIRY|LENGTH|NAME|TYPE|ALGORITHM)$/i
const noSecret = /^(|true|false|yes|no|on|off|none|\d{1,4})$/i

function environmentHidesSecrets(input: RuleInput): void {
  for (const { key, value } of entriesOf(childOf(input.tree, 'environment'))) {
    const name = String(key.value)
    if (secretName.test(name) && !aboutSecret.test(name)) warn(name, value, input)
  }
}

function triggersHideSecrets(input: RuleInput): void {
  input.manifest.triggers.forEach((_, index) => {
    const secret = childOf(itemOf(input.tree, 'triggers', index), 'secret')
    if (secret) warn('the secret of a trigger', secret, input)
  })
}

function webhooksHideSecrets(input: RuleInput): void {
  input.manifest.webhooks.forEach((_, index) => {
    const hook = itemOf(input.tree, 'webhooks', index)
    const secret = childOf(hook, 'secret')
    if (secret) warn('the secret of a webhook', secret, input)
    for (const { key, value } of entriesOf(childOf(hook, 'headers'))) {
      const name = String(key.value)
      refuseHidden(value, input)
      if (/^(authorization|cookie)$/i.test(name) || secretName.test(name.replaceAll('-', '_')))
        warn(name, value, input)
    }
  })
}

/** What was shown in place of a header is none to send. Secrets have no blanks, so that it is not taken for one of those. */
function refuseHidden(value: Tree, { notes }: RuleInput): void {
  if (value.kind !== 'scalar' || !String(value.value).includes(hiddenValue)) return
  const hint = 'write the value of the header; it is hidden where a manifest is shown'
  notes.report('manifest/bad-value', value, `this header has the value ${JSON.stringify(hiddenValue)}`, hint)
}

function entriesOf(node: Tree | undefined): readonly Entry[] {
  return node?.kind === 'map' ? node.entries : []
}

function warn(what: string, value: Tree, { source, notes }: RuleInput): void {
  if (value.kind !== 'scalar' || noSecret.test(String(value.value)) || isTemplate(value, source.text)) return
  const hint = 'store it with mariposa meta set --secret KEY VALUE, and write "{{ .meta.KEY }}" here'
  notes.report('manifest/plain-secret', value, `${what} is in plain text`, hint)
}

function isTemplate({ start, end }: ScalarNode, text: string): boolean {
  return text.slice(start, end).includes('{{')
}
