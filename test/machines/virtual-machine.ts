// A machine with a kernel of Debian's, emulated: for what the kernel of the host may lack. It has what it is given, runs a script, and
// what that prints is what there is to see of it.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { removeDir } from '../remove-dir.js'
import { librariesOf } from './host-programs.js'

/** Where scripts/ci-install.sh has put the kernel. */
const kernels = '/usr/local/lib/mariposa-test-kernel'

interface VirtualMachine {
  /** Programs of the host; they are found by their names. */
  readonly programs: readonly string[]
  /** Files and folders of the host, by the paths that they have there. */
  readonly files: Readonly<Record<string, string>>
  /** Modules of the kernel, in the order in which they are loaded. */
  readonly modules: readonly string[]
  /** Folders of the kernel's modules that it loads by itself when it needs them. */
  readonly moduleFolders?: readonly string[]
  /** MiB. */
  readonly memory?: number
  /** Its clock follows its processor, a thousand million instructions a second, whatever else the host does. */
  readonly ownTime?: boolean
  /** Told what the machine prints, as it does. */
  readonly follow?: (text: string) => void
  /** For a shell of busybox, as root. */
  readonly script: string
}

/** Boots, runs the script, and resolves to all that the machine printed once it is off. */
export async function runInVirtualMachine(machine: VirtualMachine): Promise<string> {
  const kernel = readdirSync(join(kernels, 'boot')).find((name) => name.startsWith('vmlinuz'))
  if (kernel === undefined) throw new Error(`no kernel in ${kernels}`)
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-vm-'))
  try {
    const root = join(dir, 'root')
    furnish(root, machine)
    const archive = join(dir, 'root.cpio')
    execFileSync('/bin/sh', ['-c', `find . | busybox cpio -o -H newc 2> /dev/null > ${archive}`], {
      cwd: root,
    })
    return await boot(archive, machine)
  } finally {
    removeDir(dir)
  }
}

function furnish(root: string, machine: VirtualMachine): void {
  const { programs, files, modules, moduleFolders = [], script } = machine
  put('/bin/busybox', join(root, 'bin/busybox'))
  for (const dir of ['proc', 'sys', 'dev', 'tmp', 'sbin', 'root']) mkdirSync(join(root, dir))
  symlinkSync('busybox', join(root, 'bin/sh'))
  // Where the kernel looks for it.
  symlinkSync('/bin/busybox', join(root, 'sbin/modprobe'))
  for (const program of programs) {
    put(program, join(root, 'usr/bin', program.split('/').at(-1) ?? ''))
    for (const library of librariesOf(program)) put(library, join(root, library))
  }
  for (const [to, from] of Object.entries(files)) put(from, join(root, to))
  for (const name of modules) put(moduleOf(name), join(root, `modules/${name}.ko`))
  putModules(moduleFolders, root)
  writeFileSync(
    join(root, 'init'),
    `#!/bin/sh
/bin/busybox --install -s /bin
export PATH=/usr/bin:/bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev; mount -t tmpfs tmp /tmp
for name in ${modules.join(' ')}; do insmod /modules/$name.ko; done
${script}
poweroff -f
`,
  )
  chmodSync(join(root, 'init'), 0o755)
}

function put(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  if (statSync(from).isDirectory()) cpSync(from, to, { recursive: true })
  else copyFileSync(from, to)
}

function putModules(folders: readonly string[], root: string): void {
  if (folders.length === 0) return
  const [version = ''] = readdirSync(join(kernels, 'lib/modules'))
  const [from, to] = [join(kernels, 'lib/modules', version), join(root, 'lib/modules', version)]
  for (const name of [...folders.map((folder) => `kernel/${folder}`), 'modules.order', 'modules.builtin'])
    put(join(from, name), join(to, name))
  execFileSync('busybox', ['depmod', '-b', root, version])
}

function moduleOf(name: string): string {
  const found = execFileSync('find', [kernels, '-name', `${name}.ko`], { encoding: 'utf8' }).split('\n')[0]
  if (found === undefined || found === '') throw new Error(`the kernel has no module ${name}`)
  return found
}

async function boot(archive: string, machine: VirtualMachine): Promise<string> {
  const kernel = readdirSync(join(kernels, 'boot')).find((name) => name.startsWith('vmlinuz'))
  if (kernel === undefined) throw new Error(`no kernel in ${kernels}`)
  const { memory = 1500, ownTime = false, follow } = machine
  const time = ownTime ? ['-icount', 'shift=0,sleep=off', '-rtc', 'clock=vm'] : []
  const size = ['-accel', 'tcg', '-m', String(memory), ...time]
  const words = [...size, '-nographic', '-nic', 'none', '-no-reboot']
  const linux = ['-kernel', join(kernels, 'boot', kernel), '-initrd', archive]
  const child = spawn('qemu-system-x86_64', [...words, ...linux, '-append', 'console=ttyS0 quiet panic=-1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    follow?.(text)
  })
  await once(child, 'close')
  return said
}
