// What a Docker that was killed in the middle of a start leaves behind: programs that run in a container of which it knows
// nothing more than that its id is taken.
import { readdir, readFile } from 'node:fs/promises'

/** The words of dockerd for an id that containerd still has, whole or as the directory of its shim. */
const idTaken =
  /id already in use|container with (?:given )?id already exists|failed to start shim: mkdir \S+: file exists/i

/** Whether a start was refused for what an earlier one has left behind. */
export function isLeftover(sentence: string): boolean {
  return idTaken.test(sentence)
}

/** Kills what runs in the control groups of a container, as far as it can be seen from here. */
export async function killLeftovers(containerId: string): Promise<void> {
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    if (!(pid > 1)) continue
    const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')
    if (!groups.includes(containerId)) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
}
