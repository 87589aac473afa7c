/** What is shown to etcd and asked of it; all are PEM. */
export interface EtcdTls {
  /** Null: the authorities that Node trusts. */
  readonly authority: Buffer | null
  /** Null where etcd asks its clients for none. */
  readonly certificate: Buffer | null
  readonly key: Buffer | null
}
