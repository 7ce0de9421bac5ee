import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { SignedIn, World } from './create-world.ts'

/** Data the authorisation matrix needs to call an endpoint and to check the responses. */
export interface MatrixRow {
  readonly auth: AnyEndpoint['auth']
  /** Path parameters of the call. */
  readonly params?: (world: World) => Record<string, string> | Promise<Record<string, string>>
  readonly query?: string
  readonly body?: (world: World) => unknown
  /** Part of the response to wait for; an endless stream is left after its head. */
  readonly reads?: 'head'
  /** Status for permitted callers. */
  readonly status: number
  /** Statuses for other callers, for objects of the owner. */
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
/** For the provisioning system. */
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
