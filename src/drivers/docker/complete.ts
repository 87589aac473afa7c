// What of a container depends on its image.
import type { CreateRequest, ImageConfig } from './api.js'
import type { ContainerSpec } from './container.js'
import { checkMark, checkOfImage, noHealthcheck } from './image-check.js'

/** Whether the image has to be looked at before its container is made. */
export function dependsOnImage({ imageCheck, request }: ContainerSpec): boolean {
  return imageCheck || (request.Cmd?.length === 0 && request.Entrypoint === undefined)
}

/** The request, with what follows from the image; null for an image that need not be looked at. */
export function completed({ imageCheck, request }: ContainerSpec, image: ImageConfig | null): CreateRequest {
  const check = imageCheck && image !== null ? checkOfImage(image) : null
  return {
    ...request,
    Labels: { ...request.Labels, ...checkMark(check) },
    ...((check !== null || !imageCheck) && { Healthcheck: noHealthcheck }),
    ...(request.Cmd?.length === 0 && {
      Entrypoint: besideNoCommand(request.Entrypoint ?? image?.Entrypoint),
    }),
  }
}

/**
 * Docker takes an empty command for none said, and then the image's, unless an entrypoint stands beside it. One empty word
 * is an entrypoint that clears.
 */
function besideNoCommand(entrypoint: readonly string[] | null = []): readonly string[] {
  return entrypoint === null || entrypoint.length === 0 ? [''] : entrypoint
}
