// A program that runs once beside the instances of a service: what of the manifest holds for it, and what does not.
import type { ServiceManifest } from '../manifest/schema.js'

/** What a program that runs once has of its own. */
export interface OneOffProgram {
  /** Variables beside those of the manifest, and over them. */
  readonly environment: Readonly<Record<string, string>>
}

/**
 * The manifest of such a program: environment, files, volumes, user, limits and placement of the service. It serves nobody, so that it
 * has no ports, checks, names or routes, and is neither restarted nor prepared by steps. Something holds the place, beside which the
 * driver runs the program, joined to its caller.
 */
export function asOneOff(manifest: ServiceManifest, program: OneOffProgram): ServiceManifest {
  const { containerpilot: _telemetry, cns: _names, entry: _routes, ...quiet } = manifest
  const { init_steps: _steps, init_timeout: _time, entrypoint: _entry, command: _command, ...kept } = quiet
  return {
    ...kept,
    // The one of an image would be run before it.
    ...(manifest.compute_type === 'docker'
      ? { entrypoint: [...placeholder] }
      : { command: [...placeholder] }),
    environment: { ...manifest.environment, ...program.environment },
    ports: [],
    healthchecks: [],
    restart: { policy: 'no' },
  }
}

/** Waits until it is stopped. */
const placeholder = ['/bin/sleep', 'infinity']
