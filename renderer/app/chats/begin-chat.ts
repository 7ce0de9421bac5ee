import { chatViewStore } from '../../features/chat/chat-view-store.ts'
import { runCommand } from '../../lib/commands.ts'
import { chatPath, navigate } from '../../lib/router.ts'
import { layoutStore } from '../stores.ts'

/** Opens an empty chat; its first message stores it, in a folder or in none. */
export function beginChat(folderId: string | null): void {
  layoutStore.setState({ drawerOpen: false })
  navigate(chatPath(null))
  runCommand('chat.startOver')
  chatViewStore.setState({ folderId, ...(folderId !== null && { isTemporary: false }) })
  setTimeout(() => runCommand('composer.focus'))
}
