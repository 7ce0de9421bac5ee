import type { ArtifactsTables } from './tables/artifacts.ts'
import type { AutomationsTables } from './tables/automations.ts'
import type { CalendarsTables } from './tables/calendars.ts'
import type { ChannelsTables } from './tables/channels.ts'
import type { ChatsTables } from './tables/chats.ts'
import type { ConnectionsTables } from './tables/connections.ts'
import type { DeletionsTables } from './tables/deletions.ts'
import type { EvaluationsTables } from './tables/evaluations.ts'
import type { FilesTables } from './tables/files.ts'
import type { GroupsTables } from './tables/groups.ts'
import type { ImagesTables } from './tables/images.ts'
import type { KnowledgeTables } from './tables/knowledge.ts'
import type { LiveTables } from './tables/live.ts'
import type { ModelsTables } from './tables/models.ts'
import type { OutgoingTables } from './tables/outgoing-connections.ts'
import type { PluginsTables } from './tables/plugins.ts'
import type { PromptsMemoriesNotesTables } from './tables/prompts-memories-notes.ts'
import type { RetrievalTables } from './tables/retrieval.ts'
import type { ScimTables } from './tables/scim.ts'
import type { SettingsTables } from './tables/settings.ts'
import type { SharingTables } from './tables/sharing.ts'
import type { SingleSignOnTables } from './tables/single-sign-on.ts'
import type { ToolServersTables } from './tables/tool-servers.ts'
import type { SkillsTables } from './tables/skills.ts'
import type { UsersTables } from './tables/users.ts'
import type { WebhooksTables } from './tables/webhooks.ts'

/**
 * All tables of the database. Each domain describes its own in `tables/` and is the only one to
 * query them.
 */
export interface Schema
  extends
    SettingsTables,
    UsersTables,
    GroupsTables,
    ArtifactsTables,
    AutomationsTables,
    CalendarsTables,
    ConnectionsTables,
    ChannelsTables,
    ChatsTables,
    ModelsTables,
    EvaluationsTables,
    PromptsMemoriesNotesTables,
    RetrievalTables,
    FilesTables,
    ImagesTables,
    KnowledgeTables,
    LiveTables,
    OutgoingTables,
    PluginsTables,
    ToolServersTables,
    DeletionsTables,
    WebhooksTables,
    ScimTables,
    SharingTables,
    SingleSignOnTables,
    SkillsTables {}
