import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { SignedIn, World } from './create-world.ts'

/** What the authorisation matrix has to know of an endpoint to call it and to judge the answers. */
export interface MatrixRow {
  readonly auth: AnyEndpoint['auth']
  /** The path parameters and the body of the call. */
  readonly params?: (world: World) => Record<string, string> | Promise<Record<string, string>>
  readonly query?: string
  readonly body?: (world: World) => unknown
  /** How much of the answer is waited for; a stream without end is left after its head. */
  readonly reads?: 'head'
  /** What the endpoint answers to whom it lets in. */
  readonly status: number
  /** For things of the owner: what the others hear. */
  readonly others?: Readonly<Partial<Record<SignedIn, number>>>
}

export const open = (status = 200, body?: unknown): MatrixRow => ({
  auth: 'none',
  status,
  body: () => body,
})
export const session = (status = 200, body?: unknown): MatrixRow => ({
  auth: 'session',
  status,
  body: () => body,
})
export const user = (status = 200, body?: unknown): MatrixRow => ({
  auth: 'user',
  status,
  body: () => body,
})
/** For the system that provisions accounts. */
export const provisioning = (row: Partial<MatrixRow> = {}): MatrixRow => ({
  auth: 'scim',
  status: 200,
  ...row,
})
export const admin = (row: Partial<MatrixRow> = {}): MatrixRow => ({
  auth: 'admin',
  status: 200,
  ...row,
})
export const owned = (params: MatrixRow['params'], row: Partial<MatrixRow> = {}): MatrixRow => ({
  auth: 'user',
  status: 200,
  others: { other: 404, admin: 404 },
  params,
  ...row,
})
