import { readTextFile } from '../lib/io/text-file.js'
import { defaultPackages } from '../manifest/default-packages.js'
import { parsePackageList } from '../manifest/package-list.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { Package } from '../model/package.js'
import { type Setting, settingProblem } from './settings.js'

interface PackageOption {
  readonly packages: readonly Package[]
  readonly problems: readonly Diagnostic[]
}

/** The packages of the file that `--packages` names; those that ship where it names none. */
export function readPackageOption(setting: Setting | undefined): PackageOption {
  if (setting === undefined) return { packages: defaultPackages, problems: [] }
  const [file = ''] = setting.values
  const text = textOf(file)
  if (text instanceof Error)
    return { packages: [], problems: [settingProblem(setting, `${file} cannot be read: ${text.message}`)] }
  const { packages, diagnostics } = parsePackageList({ file, text })
  return { packages, problems: diagnostics }
}

function textOf(file: string): string | Error {
  try {
    return readTextFile(file)
  } catch (error) {
    return error as Error
  }
}
