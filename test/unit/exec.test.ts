import { describe, expect, it } from 'vitest'
import { containerWords, expandArgv, parseExec } from '../../src/unit/exec.js'
import { asUnitName } from '../../src/unit/name.js'

const context = { name: asUnitName('web@7.service'), machine: { id: 'f'.repeat(32), hostname: 'a' } }

describe('command lines', () => {
  it('are a program and its words, with specifiers filled in after the words are split', () => {
    expect(parseExec('/bin/web --name "%i of %%" \'a b\'', context)).toEqual({
      commands: [
        {
          path: '/bin/web',
          argv: ['/bin/web', '--name', '7 of %', 'a b'],
          ignoreFailure: false,
          expandVariables: true,
          privileges: 'normal',
        },
      ],
      problems: [],
      warnings: [],
    })
  })

  it.each([
    ['-/bin/x', { path: '/bin/x', ignoreFailure: true }],
    ['@/bin/x y z', { path: '/bin/x', argv: ['y', 'z'] }],
    ['-@:/bin/x y', { path: '/bin/x', argv: ['y'], ignoreFailure: true, expandVariables: false }],
    ['+/bin/x', { privileges: 'full' }],
    ['!/bin/x', { privileges: 'no-setuid' }],
    ['!!/bin/x', { privileges: 'ambient' }],
    ['--x', { path: '-x', ignoreFailure: true }],
    ['"-/opt/my app" y', { path: '/opt/my app', argv: ['/opt/my app', 'y'], ignoreFailure: true }],
  ])('take prefixes: %s', (value, command) => {
    expect(parseExec(value, context).commands).toMatchObject([command])
  })

  it('are parted by a semicolon that stands alone and bare', () => {
    const { commands } = parseExec('/bin/a ; /bin/b \\; ";" x; ; ; -/bin/c', context)
    expect(commands.map(({ argv }) => argv)).toEqual([['/bin/a'], ['/bin/b', ';', ';', 'x;'], ['/bin/c']])
  })

  it.each([
    ['', []],
    ['/bin/a "b', ['a quote (") is opened and never closed']],
    ['bin/a', ['bin/a is neither an absolute path nor the plain name of a program']],
    ['/bin/', ['/bin/ is a directory']],
    ['-', ['there is no program in the command line']],
    ['@/bin/a', ['prefix @ needs the name of the program after its path']],
    ['/bin/a\\x07', ['the program has a quote, a backslash or a control character in its name']],
    ['/bin/a %z', ['%z is not a known specifier (write %% for a percent sign)']],
  ])('that systemd would not run are problems: %j', (value, problems) => {
    expect(parseExec(value, context)).toMatchObject({ commands: [], problems })
  })

  it('warn of escapes that mean nothing', () => {
    expect(parseExec("/bin/grep '\\d'", context)).toMatchObject({
      commands: [{ argv: ['/bin/grep', '\\d'] }],
      warnings: ['\\d is not an escape and is kept as it is'],
    })
  })
})

describe('variables in words', () => {
  const environment = { A: '1 2 "3 4"', B: '', C: "a\\nb 'c" }
  const expand = (word: string): readonly string[] =>
    expandArgv(
      { path: '/x', argv: [word], ignoreFailure: false, expandVariables: true, privileges: 'normal' },
      environment,
    )

  // Answers of replace_env_argv() of systemd 252.
  it.each([
    ['$A', ['1', '2', '3 4']],
    ['${A}', ['1 2 "3 4"']],
    ['x$A', ['x$A']],
    ['x${A}y', ['x1 2 "3 4"y']],
    ['$$A', ['$A']],
    ['$$$A', ['$$A']],
    ['x$$$${A}', ['x$${A}']],
    ['$B', []],
    ['$', []],
    ['$$', ['$']],
    ['${NONE}', ['']],
    ['$NONE', []],
    ['${A', ['${A']],
    ['${A:-x}', ['${A:-x}']],
    ['A${$$', ['A${$$']],
    ['${A}${B}$A', ['1 2 "3 4"$A']],
    ['a${b${A}c}', ['ac}']],
    ['$C', ['anb', 'c']],
  ])('%s', (word, argv) => {
    expect(expand(word)).toEqual(argv)
  })

  it('are left alone behind the prefix :', () => {
    const [command] = parseExec(':/bin/echo $A $$', context).commands
    expect(command && expandArgv(command, environment)).toEqual(['/bin/echo', '$A', '$$'])
  })

  it('do not reach into the prototype', () => {
    expect(expand('${constructor}')).toEqual([''])
  })
})

describe('words for a container', () => {
  it('have $$ for a dollar sign and no variables', () => {
    expect(containerWords('sh -c "echo $$HOME 5%%"', context)).toEqual({
      words: ['sh', '-c', 'echo $HOME 5%'],
      problems: [],
    })
    expect(containerWords('echo $HOME ${A} $$B', context).problems).toEqual([
      '$HOME is not filled in here (write $$ for a dollar sign)',
      '${A} is not filled in here (write $$ for a dollar sign)',
    ])
  })
})
