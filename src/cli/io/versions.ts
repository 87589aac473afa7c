// Commands about the versions of services.
import { diffLines, withContext } from '../../lib/line-diff.js'
import { nameOf, versionColumns } from '../columns.js'
import { exitCodes } from '../command-error.js'
import { describeDiff, describeVersion } from '../details.js'
import { cellView, printJson, printRows, type Shell } from './shell.js'

/** Newest first. */
export async function listVersions(shell: Shell, service: string): Promise<number> {
  const versions = await shell.client.versions(shell.globals.project, service, shell.signal)
  printRows(shell, versionColumns, versions, nameOf.version)
  return exitCodes.done
}

export async function showVersion(shell: Shell, word: string, manifestAlone: boolean): Promise<number> {
  const version = await shell.client.serviceVersion(shell.globals.project, word, shell.signal)
  if (shell.globals.json) printJson(shell, manifestAlone ? { manifest: version.manifest } : version)
  else shell.terminal.out(manifestAlone ? version.manifest : describeVersion(version, cellView(shell)))
  return exitCodes.done
}

/** What differs between the manifests of two versions, comments included. */
export async function diffVersions(shell: Shell, before: string, after: string): Promise<number> {
  const { client, globals, signal, terminal } = shell
  const [from, to] = await Promise.all([
    client.serviceVersion(globals.project, before, signal),
    client.serviceVersion(globals.project, after, signal),
  ])
  const lines = diffLines(from.manifest, to.manifest)
  if (globals.json) {
    const changed = lines.filter(({ kind }) => kind !== 'same')
    printJson(shell, { from: from.uuid, to: to.uuid, changed: changed.length > 0, lines: changed })
  } else terminal.out(describeDiff(withContext(lines, 3), terminal.paint))
  return exitCodes.done
}
