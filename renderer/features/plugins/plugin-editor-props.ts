import type { PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import type { Drafts } from '../../lib/drafts.ts'
import type { PluginCalls, PluginDraft } from './plugin-kinds.ts'

export interface PluginEditorProps {
  readonly calls: PluginCalls
  readonly drafts: Drafts<PluginDraft>
  /** Plugin id; empty for a new one. */
  readonly id: string
  readonly admin: boolean
  /** URL of the list. */
  readonly listPath: string
  readonly principals: PrincipalLoaders
  readonly mayOpenToAll: boolean
  readonly onSaved: (id: string) => void
}
