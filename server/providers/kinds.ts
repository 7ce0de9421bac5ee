import type { ConnectionKind } from '#contract/connection-kinds.ts'
import { compatibleKind } from './compatible/index.ts'
import { messagesKind } from './messages/index.ts'
import type { ProviderKind } from './provider-kind.ts'
import { runtimeKind } from './runtime/index.ts'

/** All kinds of connections; their folder is named after the kind. */
export const PROVIDER_KINDS: Readonly<Record<ConnectionKind, ProviderKind>> = {
  runtime: runtimeKind,
  compatible: compatibleKind,
  messages: messagesKind,
}
