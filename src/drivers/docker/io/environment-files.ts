// The files of this machine that hold variables of a container.
import { readTextFileLater } from '../../../lib/io/text-file.js'
import { DriverError } from '../../../model/driver-error.js'
import { parseEnvironmentFile } from '../environment-file.js'

/** As `name=value`, in order. Throws `docker/environment-file`. */
export async function readEnvironment(files: readonly string[]): Promise<readonly string[]> {
  const texts = await Promise.all(files.map(readEnvironmentFile))
  return texts.flatMap((environment) =>
    Object.entries(environment).map(([name, value]) => `${name}=${value}`),
  )
}

async function readEnvironmentFile(path: string): Promise<Readonly<Record<string, string>>> {
  const text = await readTextFileLater(path).catch((error: unknown) => {
    throw new DriverError('docker/environment-file', `${path} cannot be read`, { cause: error })
  })
  const { environment, problems } = parseEnvironmentFile(text)
  if (problems.length === 0) return environment
  throw new DriverError('docker/environment-file', `${path}: ${problems.join('; ')}`)
}
