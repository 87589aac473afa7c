import { describe, expect, it } from 'vitest'
import { figureFiles } from '../../../src/agent/metrics/cgroup.js'
import { digestNoted, imageProblem } from '../../../src/drivers/docker/image.js'

describe('the name of an image', () => {
  it.each([
    'busybox',
    'busybox:1.36',
    'library/busybox',
    'localhost:5000/a/b_c/d-e:v1.0_x',
    'registry.example/app@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'Registry.Example/app',
  ])('%s is one', (text) => {
    expect(imageProblem(text)).toBeNull()
  })

  it.each(['', 'Busybox', 'a b', 'a:', ':tag', 'a//b', 'a:b:c', '-a', 'http://x/y'])('%j is none', (text) => {
    expect(imageProblem(text)).not.toBeNull()
  })
})

describe('the files with the figures of a container', () => {
  it('are those of version 2, then those of version 1', () => {
    const { memory, cpu } = figureFiles('4:memory:/docker/c1\n2:cpu,cpuacct:/docker/c1\n0::/docker/c1\n')
    expect(memory.map(({ path }) => path)).toEqual([
      '/sys/fs/cgroup/docker/c1/memory.current',
      '/sys/fs/cgroup/unified/docker/c1/memory.current',
      '/sys/fs/cgroup/memory/docker/c1/memory.usage_in_bytes',
    ])
    expect(cpu.at(-1)?.path).toBe('/sys/fs/cgroup/cpuacct/docker/c1/cpuacct.usage')
  })

  it('give bytes, nanoseconds and no limit where there is none', () => {
    const { memory, cpu, memoryLimit } = figureFiles('4:memory:/c1\n0::/c1\n')
    expect(cpu[0]?.read('usage_usec 1500\nuser_usec 1000\n')).toBe(1_500_000)
    expect(memory[0]?.less?.read('anon 5\ninactive_file 7\n')).toBe(7)
    expect(memoryLimit[0]?.read('max\n')).toBeNull()
    expect(memoryLimit.at(-1)?.read('9223372036854771712\n')).toBeNull()
    expect(memoryLimit.at(-1)?.read('67108864\n')).toBe(67_108_864)
  })
})

describe('the digest that a machine has noted', () => {
  const digest = `sha256:${'a'.repeat(64)}`

  it.each([
    ['nginx:1', 'nginx'],
    ['docker.io/library/nginx', 'nginx'],
    ['me/app:2', 'docker.io/me/app'],
    ['localhost:5000/app', 'localhost:5000/app'],
  ])('for %s is that of its repository %s', (image, repository) => {
    expect(digestNoted(image, [`other/nginx@sha256:${'b'.repeat(64)}`, `${repository}@${digest}`])).toBe(
      digest,
    )
  })

  it('is none where the image came under another name', () => {
    expect(digestNoted('localhost:5000/app:1', [`localhost:5001/app@${digest}`])).toBeNull()
  })
})
