// Records of the domain name system, and how many bytes they take in a message.

interface Common {
  readonly name: string
  /** Seconds. */
  readonly ttl: number
}

/** A record of the domain name system. */
export type DnsRecord = Common &
  (
    | { readonly type: 'A' | 'AAAA'; readonly data: string }
    | { readonly type: 'NS' | 'PTR'; readonly data: string }
    | { readonly type: 'TXT'; readonly data: string }
    | { readonly type: 'SRV'; readonly data: SrvData }
    | { readonly type: 'SOA'; readonly data: SoaData }
  )

interface SrvData {
  readonly priority: number
  readonly weight: number
  readonly port: number
  readonly target: string
}

interface SoaData {
  readonly mname: string
  readonly rname: string
  readonly serial: number
  readonly refresh: number
  readonly retry: number
  readonly expire: number
  readonly minimum: number
}

/** Bytes of a name that is written out: each label with its length, and the end. */
export function nameBytes(name: string): number {
  return name.length + 2
}

/** Bytes of a record: its name, ten for type, class, TTL and length, and its data. */
export function recordBytes(record: DnsRecord): number {
  return nameBytes(record.name) + 10 + dataBytes(record)
}

function dataBytes(record: DnsRecord): number {
  switch (record.type) {
    case 'A':
      return 4
    case 'AAAA':
      return 16
    case 'NS':
    case 'PTR':
      return nameBytes(record.data)
    case 'TXT':
      return record.data.length + 1
    case 'SRV':
      return 6 + nameBytes(record.data.target)
    case 'SOA':
      return 20 + nameBytes(record.data.mname) + nameBytes(record.data.rname)
  }
}

/** A record as a line of a zone file, without its name. */
export function describeRecord(record: DnsRecord): string {
  switch (record.type) {
    case 'SRV': {
      const { priority, weight, port, target } = record.data
      return `${priority} ${weight} ${port} ${target}.`
    }
    case 'SOA': {
      const { mname, rname, serial, refresh, retry, expire, minimum } = record.data
      return `${mname}. ${rname}. ${serial} ${refresh} ${retry} ${expire} ${minimum}`
    }
    case 'NS':
    case 'PTR':
      return `${record.data}.`
    case 'TXT':
      return JSON.stringify(record.data)
    case 'A':
    case 'AAAA':
      return record.data
  }
}
