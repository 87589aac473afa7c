// [Service] of a service that runs as a process of the host.
import type { ServiceManifest } from '../manifest/schema.js'
import { isVariableName } from '../unit/environment.js'
import { pathProblem } from '../unit/exec.js'
import { printTimeSpan } from '../unit/values.js'
import { quoteWord } from '../unit/words.js'
import { isFilledLate } from './deferred-environment.js'
import { addServiceLimits, isHeld } from './limits.js'
import { pointer, problemAt } from './problem.js'
import { openSection, type Said, type Section, type SectionPart } from './section.js'
import { commandText, namesDirectory, optionText, plainTextProblem, withoutMarks } from './text.js'
import { splitUser } from './user.js'
import { addServiceVolumes } from './volumes.js'

/** `memoryMb`: the memory of an instance; null for no limit. */
export function processOptions(manifest: ServiceManifest, memoryMb: number | null): SectionPart {
  const service = openSection('Service', manifest.name)
  service.value('Type', 'exec')
  addInitSteps(service, manifest)
  addExecStart(service, manifest)
  for (const [name, text] of Object.entries(manifest.environment)) addVariable(service, name, text)
  const { user, group } = splitUser(manifest.user)
  if (user !== null) service.plain('User', { path: '/user', text: user })
  if (group !== null) service.plain('Group', { path: '/user', text: group })
  if (manifest.working_dir !== undefined) {
    service.plain('WorkingDirectory', { path: '/working_dir', text: manifest.working_dir })
  }
  addServiceLimits(service, manifest, memoryMb)
  addServiceVolumes(service, manifest)
  service.value('TimeoutStopSec', stopTime(manifest.stop.timeout))
  for (const key of ['dns', 'dns-search'] as const) if (manifest[key].length > 0) refuseResolver(service, key)
  return service
}

function refuseResolver(service: Section, key: 'dns' | 'dns-search'): void {
  const hint = 'leave it out, or use compute_type: docker'
  service.refuse(
    problemAt(pointer(key), 'compile/no-resolver', 'a process asks the resolvers of its machine', hint),
  )
}

function addVariable(service: Section, name: string, text: string): void {
  const path = pointer('environment', name)
  if (isVariableName(name)) {
    if (!isFilledLate(text)) service.word('Environment', { path, text: `${name}=${text}` })
  } else {
    const hint =
      'use letters, digits and _, not beginning with a digit; only docker services take other names'
    service.refuse(
      problemAt(
        path,
        'compile/bad-variable-name',
        `${JSON.stringify(name)} cannot name a variable of a process`,
        hint,
      ),
    )
  }
}

/** Zero would mean to wait without end. */
function stopTime(seconds: number): string {
  if (seconds < 0) return 'infinity'
  return seconds === 0 ? '1ms' : printTimeSpan(seconds * 1000)
}

function addExecStart(service: Section, manifest: ServiceManifest): void {
  const words = [...saidBy('entrypoint', manifest.entrypoint), ...saidBy('command', manifest.command)]
  addCommand(service, 'ExecStart', manifest, words)
}

/** Each is one command before the program, which systemd and the process driver run at each start. */
function addInitSteps(service: Section, manifest: ServiceManifest): void {
  const { init_steps: steps = [], init_timeout: timeout } = manifest
  steps.forEach(({ command }, index) => {
    const words = command.map((text, n) => ({ path: pointer('init_steps', index, 'command', n), text }))
    addCommand(service, 'ExecStartPre', manifest, words)
  })
  if (timeout !== undefined) service.value('TimeoutStartSec', printTimeSpan(timeout * 1000))
}

function addCommand(
  service: Section,
  option: string,
  manifest: ServiceManifest,
  words: readonly Said[],
): void {
  const [program, ...rest] = words
  if (program === undefined || program.text === '') {
    service.refuse(
      problemAt(
        '/command',
        'compile/no-program',
        'there is no program to run',
        'give command, or entrypoint',
      ),
    )
    return
  }
  const path = programPath(program.text, manifest.working_dir)
  const problem = namesDirectory(program.text) ? inVolume : programProblem(withoutMarks(path))
  if (problem !== null)
    service.refuse(problemAt(program.path, 'compile/bad-program', problem.message, problem.hint))
  // What sets rights calls a program by its path.
  else
    addCommandLine(
      service,
      option,
      manifest.name,
      path,
      isHeld(manifest) ? { ...program, text: path } : program,
      rest,
    )
}

/** systemd reads no variables in the path of a program. */
const inVolume = {
  message: 'a program cannot be named by the path of a volume or of files',
  hint: 'run it by another program: ["/usr/bin/env", "{{ .volume.NAME.path }}/bin/program"]',
}

function saidBy(key: string, words: readonly string[] | undefined): readonly Said[] {
  return (words ?? []).map((text, index) => ({ path: pointer(key, index), text }))
}

/** A path that does not begin at the root begins at the working directory, as it would for Docker. */
function programPath(program: string, workingDir: string | undefined): string {
  const relative = program.includes('/') && !program.startsWith('/')
  return relative && workingDir !== undefined ? `${workingDir.replace(/\/+$/, '')}/${program}` : program
}

function programProblem(path: string): { message: string; hint: string } | null {
  if (/^[-@:+!]/.test(path)) {
    return {
      message: `a program's name cannot begin with ${path.charAt(0)}`,
      hint: 'give its whole path, or run it by another program',
    }
  }
  const message = pathProblem(path) ?? plainTextProblem(path)
  return message === null
    ? null
    : { message, hint: 'give the whole path, the name of a program in PATH, or a path below working_dir' }
}

/**
 * systemd reads no variables in the program's path, but does so in the words, argv[0] among them. Where they differ, the
 * prefix `@` says both.
 */
function addCommandLine(
  service: Section,
  option: string,
  name: string,
  path: string,
  program: Said,
  rest: readonly Said[],
): void {
  const first = optionText(path, name)
  const alike = path === program.text && first === commandText(path, name)
  const line = openSection('Service', name)
  line.words(option, alike ? rest : [program, ...rest])
  for (const problem of line.problems) service.refuse(problem)
  const words = line.options[0]?.value ?? ''
  service.value(option, `${quoteWord(alike ? first : `@${first}`)}${words === '' ? '' : ` ${words}`}`)
}
