// What an image that is here says of its containers.
import type Docker from 'dockerode'
import { abortable } from '../../../lib/io/abortable.js'
import type { ImageConfig } from '../api.js'

/** Throws Docker's own 404 where the image is not here. */
export async function imageConfig(docker: Docker, image: string, signal: AbortSignal): Promise<ImageConfig> {
  const { Config } = (await abortable(docker.getImage(image).inspect(), signal)) as {
    readonly Config?: ImageConfig | null
  }
  return Config ?? {}
}
