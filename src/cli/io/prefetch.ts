// `mariposa image prefetch`, and `--prefetch` of a deploy: the machines fetch images before something needs them.
import { existsSync } from 'node:fs'
import type { PrefetchBody, PrefetchRequest } from '../../contract/contract.js'
import { CommandError, exitCodes, usageError } from '../command-error.js'
import { describePrefetch, PrefetchLooks } from '../prefetch-progress.js'
import { openDisplay } from './display.js'
import { printJson, type Shell } from './shell.js'
import { readSources } from './sources.js'

export interface PrefetchFlags {
  /** Milliseconds. */
  readonly deadline?: number
}

/** Services by name, or files with manifests. A word that is the path of a file is one. */
export async function prefetchImages(
  shell: Shell,
  targets: readonly string[],
  { deadline }: PrefetchFlags,
): Promise<number> {
  const limit = deadline === undefined ? {} : { deadlineMs: deadline }
  const files = targets.filter((word) => word === '-' || existsSync(word))
  if (files.length > 0 && files.length < targets.length) {
    const service = targets.find((word) => !files.includes(word)) ?? ''
    throw usageError(`${service} is not a file, but ${files[0] ?? ''} is one: give either services or files`)
  }
  const requests: readonly PrefetchRequest[] =
    files.length > 0
      ? [{ deploy: { sources: await readSources(files), waitForRoom: true }, ...limit }]
      : targets.map((service) => ({ service, ...limit }))
  const told: PrefetchBody[] = []
  for (const request of requests)
    told.push(...(await followPrefetch(shell, request, 'running instances continue')))
  if (shell.globals.json) printJson(shell, told)
  else if (!shell.globals.quiet && told.length === 0)
    shell.terminal.out('no machine has an image to fetch for it\n')
  return exitCodes.done
}

/** Follows it to its end. Throws CommandError (exit 1) that names every machine which has not the image; `left` says what of it. */
export async function followPrefetch(
  shell: Shell,
  request: PrefetchRequest,
  left: string,
): Promise<readonly PrefetchBody[]> {
  const { client, globals, signal } = shell
  const show = openDisplay(shell)
  const looks = new PrefetchLooks()
  for await (const line of client.prefetch(globals.project, request, signal)) {
    looks.note(line)
    show(
      () => looks.all.map(describePrefetch),
      () => [describePrefetch(line)],
    )
  }
  const failed = looks.all.filter(({ state }) => state === 'failed')
  if (failed.length > 0) {
    const message = `images were not fetched on ${failed.length} machine${failed.length === 1 ? '' : 's'}, ${left}`
    const details = failed.map((one) => ({
      code: 'image/not-fetched',
      severity: 'error' as const,
      message: describePrefetch(one),
    }))
    throw new CommandError(exitCodes.failed, 'image/not-fetched', message, { details })
  }
  return looks.all
}
