import type { Route } from '../lib/http.ts'
import type { Provider, ProviderModel } from './provider.ts'

export type { CompletionCall, CompletionFrame, ErrorFrame, Provider, ProviderModel, RelayCall } from './provider.ts'

/** A model together with where it comes from. `publicId` carries the prefix of its connection. */
export interface OfferedModel {
  readonly publicId: string
  readonly model: ProviderModel
  readonly provider: Provider
}

/** All connections of the gateway and the models behind them. */
export interface Providers {
  /** Models of all enabled connections, from a short cache unless `refresh`; dead ones are left out and delay nothing. */
  listModels(options?: { refresh?: boolean }): Promise<OfferedModel[]>
  /** The model of a public id, synchronously from the last known lists; null when unknown there. */
  findCached(publicId: string): OfferedModel | null
  /** The model of a public id, asking upstreams again when it is not known. */
  find(publicId: string): Promise<OfferedModel | null>
  readonly routes: readonly Route[]
  /** Closes pooled connections. */
  close(): Promise<void>
}
