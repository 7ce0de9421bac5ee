import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
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

  /** Also null if its key was encrypted with another root secret. */
  async certificate(kind: CertificateKind): Promise<CertificatePair | null> {
    const row = await this.#storage.get(
      this.#storage.builder.selectFrom('share_certificate').selectAll().where('kind', '=', kind),
    )
    const key = row ? this.#secrets.decrypt(keyPlace(kind), row.key) : null
    return row && key !== null ? { certificate: row.certificate, key } : null
  }

  async putCertificate(
    kind: CertificateKind,
    { certificate, key }: CertificatePair,
  ): Promise<void> {
    const values = { certificate, key: this.#secrets.encrypt(keyPlace(kind), key) }
    await this.#storage.run(
      this.#storage.builder
        .insertInto('share_certificate')
        .values({ kind, ...values })
        .onConflict((conflict) => conflict.column('kind').doUpdateSet(values)),
    )
  }

  async removeCertificate(kind: CertificateKind): Promise<void> {
    await this.#storage.remove('share_certificate', { kind })
  }

  /** Time when sharing ends automatically; null for never. */
  async endsAt(): Promise<number | null> {
    const state = await this.#storage.get(
      this.#storage.builder.selectFrom('share_state').select('ends_at'),
    )
    return state?.ends_at ?? null
  }

  async setEndsAt(endsAt: number | null): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .insertInto('share_state')
        .values({ id: 1, ends_at: endsAt })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ ends_at: endsAt })),
    )
  }
}
