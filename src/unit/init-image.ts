// The value of `InitImage=` in a container's unit: which of its init steps runs in another image.

interface InitImage {
  /** The number of the `ExecStartPre=` line, from 1. */
  readonly step: number
  readonly image: string
}

export function printInitImage({ step, image }: InitImage): string {
  return `${step} ${image}`
}

/** null unless the value is the number of a step and an image. */
export function readInitImage(value: string): InitImage | null {
  const [, step, image] = /^([1-9]\d*) (\S+)$/.exec(value) ?? []
  return step === undefined || image === undefined ? null : { step: Number(step), image }
}
