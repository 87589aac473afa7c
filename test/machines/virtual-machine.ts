// A machine with a kernel of Debian's, emulated: for what the kernel of the host may lack. It has what it is given, runs a script, and
// what that prints is what there is to see of it.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
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
  /** Files of the host, by the paths that they have there. */
  readonly files: Readonly<Record<string, string>>
  /** Modules of the kernel, in the order in which they are loaded. */
  readonly modules: readonly string[]
  /** For a shell of busybox, as root. */
  readonly script: string
}

/** Boots, runs the script, and resolves to all that the machine printed once it is off. */
export async function runInVirtualMachine(machine: VirtualMachine): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-vm-'))
  try {
    const root = join(dir, 'root')
    furnish(root, machine)
    const archive = join(dir, 'root.cpio')
    execFileSync('/bin/sh', ['-c', `find . | busybox cpio -o -H newc 2> /dev/null > ${archive}`], {
      cwd: root,
    })
    return await boot(archive)
  } finally {
    removeDir(dir)
  }
}

function furnish(root: string, { programs, files, modules, script }: VirtualMachine): void {
  put('/bin/busybox', join(root, 'bin/busybox'))
  for (const dir of ['proc', 'sys', 'dev', 'tmp', 'sbin']) mkdirSync(join(root, dir))
  symlinkSync('busybox', join(root, 'bin/sh'))
  for (const program of programs) {
    put(program, join(root, 'usr/bin', program.split('/').at(-1) ?? ''))
    for (const library of librariesOf(program)) put(library, join(root, library))
  }
  for (const [to, from] of Object.entries(files)) put(from, join(root, to))
  for (const name of modules) put(moduleOf(name), join(root, `modules/${name}.ko`))
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
  copyFileSync(from, to)
}

function moduleOf(name: string): string {
  const found = execFileSync('find', [kernels, '-name', `${name}.ko`], { encoding: 'utf8' }).split('\n')[0]
  if (found === undefined || found === '') throw new Error(`the kernel has no module ${name}`)
  return found
}

async function boot(archive: string): Promise<string> {
  const kernel = readdirSync(join(kernels, 'boot')).find((name) => name.startsWith('vmlinuz'))
  if (kernel === undefined) throw new Error(`no kernel in ${kernels}`)
  const words = ['-accel', 'tcg', '-m', '1500', '-nographic', '-nic', 'none', '-no-reboot']
  const linux = ['-kernel', join(kernels, 'boot', kernel), '-initrd', archive]
  const child = spawn('qemu-system-x86_64', [...words, ...linux, '-append', 'console=ttyS0 quiet panic=-1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await once(child, 'close')
  return said
}
