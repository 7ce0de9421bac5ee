import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { CertificatePair } from './make-certificate.ts'

type CertificateKind = 'authority' | 'server' | 'own'

const keyPlace = (kind: CertificateKind): string => `share_certificate|${kind}|key`

/** SQL on the tables `share_certificate` and `share_state`. */
export class ShareStore {
  readonly #storage: Storage
  readonly #secrets: Secrets

  constructor(storage: Storage, secrets: Secrets) {
    this.#storage = storage
    this.#secrets = secrets
  }

  /** Null also for one whose key was written under another root secret. */
  certificate(kind: CertificateKind): CertificatePair | null {
    const row = this.#storage.get(
      this.#storage.builder.selectFrom('share_certificate').selectAll().where('kind', '=', kind),
    )
    const key = row ? this.#secrets.decrypt(keyPlace(kind), row.key) : null
    return row && key !== null ? { certificate: row.certificate, key } : null
  }

  putCertificate(kind: CertificateKind, { certificate, key }: CertificatePair): void {
    const values = { certificate, key: this.#secrets.encrypt(keyPlace(kind), key) }
    this.#storage.run(
      this.#storage.builder
        .insertInto('share_certificate')
        .values({ kind, ...values })
        .onConflict((conflict) => conflict.column('kind').doUpdateSet(values)),
    )
  }

  removeCertificate(kind: CertificateKind): void {
    this.#storage.run(
      this.#storage.builder.deleteFrom('share_certificate').where('kind', '=', kind),
    )
  }

  /** When sharing ends by itself; null for never. */
  endsAt(): number | null {
    return (
      this.#storage.get(this.#storage.builder.selectFrom('share_state').select('ends_at'))
        ?.ends_at ?? null
    )
  }

  setEndsAt(endsAt: number | null): void {
    this.#storage.run(
      this.#storage.builder
        .insertInto('share_state')
        .values({ id: 1, ends_at: endsAt })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ ends_at: endsAt })),
    )
  }
}
