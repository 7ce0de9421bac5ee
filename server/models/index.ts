import type { Model } from '#contract/models.ts'
import type { Caller, Route } from '../lib/http.ts'
import type { OfferedModel } from '../providers/index.ts'

/** A model a caller may use. */
export interface ResolvedModel extends OfferedModel {
  /** Model as lists show it. */
  readonly entry: Model
}

/** The model list and who may use what (decisions §4, Model access). */
export interface Models {
  list(caller: Caller, options?: { refresh?: boolean }): Promise<Model[]>
  /** 400 "Model not found" for unknown and forbidden ids alike; a promise only when upstreams must be asked. */
  resolve(caller: Caller, id: string): ResolvedModel | Promise<ResolvedModel>
  readonly routes: readonly Route[]
}
