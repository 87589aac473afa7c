/** Every spelling of a compute type, as the seed lists them, with the one that stands for all. */
export const computeTypes = {
  docker: 'docker',
  process: 'process',
  infrastructure: 'infrastructure',
  lx: 'infrastructure',
  smartmachine: 'infrastructure',
  kvm: 'kvm',
  vm: 'kvm',
  hvm: 'kvm',
  manta: 'manta',
} as const
