// Has images here, by the rules for a container that is made.
import type Docker from 'dockerode'
import type { Driver } from '../../../agent/driver.js'
import { DriverError } from '../../../model/driver-error.js'
import { isImageId } from '../../../model/image.js'
import { asDriverError, statusOf } from './connection.js'
import { imageConfig } from './image-config.js'
import type { ImagePulls } from './image-pulls.js'

/** Resolves to whether it was here. Throws DriverError. Codes: `docker/image-missing`, and those of a pull. */
export type EnsureImage = NonNullable<Driver['fetchImage']>

export function imageEnsurer(docker: Docker, pulls: ImagePulls): EnsureImage {
  return async (image, pull, signal, onPull) => {
    const isId = isImageId(image)
    if (pull !== 'always' || isId) {
      try {
        await imageConfig(docker, image, signal)
        return 'present'
      } catch (error) {
        if (statusOf(error) !== 404) throw asDriverError(error, `${image} was not looked for`)
      }
      if (isId) throw notHere(image)
      if (pull === 'never') throw mayNotBeFetched(image)
    }
    await pulls.pull(image, signal, onPull)
    return 'fetched'
  }
}

export function mayNotBeFetched(image: string): DriverError {
  const message = `the image ${image} is not on this machine, and Pull=never forbids fetching it`
  return new DriverError('docker/image-missing', message)
}

/** An id names an image on machines alone. */
export function notHere(image: string): DriverError {
  const message = `the image ${image.slice(0, 19)} is not on this machine, and comes from no registry`
  return new DriverError('docker/image-missing', message, { permanent: true })
}
