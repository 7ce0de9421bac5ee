import type { PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import type { PluginDrafts } from './plugin-drafts.ts'
import type { PluginCalls } from './plugin-kinds.ts'

export interface PluginEditorProps {
  readonly calls: PluginCalls
  readonly drafts: PluginDrafts
  /** Plugin id; empty for a new one. */
  readonly id: string
  readonly admin: boolean
  /** URL of the list. */
  readonly listPath: string
  readonly principals: PrincipalLoaders
  readonly mayOpenToAll: boolean
  readonly onSaved: (id: string) => void
}
