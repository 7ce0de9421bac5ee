import type { SetUpPlugin } from '../../features/chat/chat-screen.tsx'
import { functionCalls, toolCalls } from '../../features/plugins/plugin-kinds.ts'
import { ValvesForm } from '../../features/plugins/valves-form.tsx'

/** The signed-in user's own settings of a tool or filter. */
export function OwnPluginSettings({
  plugin,
  onClose,
}: {
  plugin: SetUpPlugin
  onClose: () => void
}) {
  const { userValves } = plugin.store === 'tool' ? toolCalls : functionCalls
  return <ValvesForm pluginId={plugin.id} name={plugin.name} calls={userValves} onClose={onClose} />
}
