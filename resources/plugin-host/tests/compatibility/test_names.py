"""
Names public plugins import from the host application (docs/plugin-contract.md). Each has to be
there: working, or failing with a reason that names it. What is known not to be there stands in `ABSENT` with why.
"""

from __future__ import annotations

import unittest

from open_webui._gateway.known import missing_of

NAMES = """
config: CACHE_DIR DATA_DIR UPLOAD_DIR WEBUI_URL get_config
constants: ERROR_MESSAGES TASKS
env: AIOHTTP_CLIENT_TIMEOUT DATA_DIR ENABLE_FORWARD_USER_INFO_HEADERS FORWARD_SESSION_INFO_HEADER_CHAT_ID
env: FORWARD_USER_INFO_HEADER_USER_EMAIL GLOBAL_LOG_LEVEL SRC_LOG_LEVELS VERSION
functions: generate_function_chat_completion
internal.db: get_async_db_context get_db
main: Request app chat_completion generate_chat_completion generate_chat_completions
models.access_grants: AccessGrants
models.chats: ChatForm ChatModel Chats
models.config: Config
models.feedbacks: Feedbacks
models.files: FileForm FileModel Files
models.folders: Folders
models.functions: Functions
models.groups: Groups
models.knowledge: KnowledgeForm Knowledges
models.memories: Memories
models.messages: Messages
models.models: ModelForm ModelMeta ModelParams Models
models.notes: NoteForm Notes
models.oauth_sessions: OAuthSessions
models.prompts: PromptForm Prompts
models.skills: Skills
models.tags: Tags
models.tools: Tools
models.users: User UserModel Users
retrieval.utils: get_sources_from_items query_collection query_doc_with_hybrid_search
retrieval.vector.factory: VECTOR_DB_CLIENT
routers.files: get_file_content_by_id upload_file upload_file_handler
routers.images: CreateImageForm GenerateImageForm image_generations load_b64_image_data upload_image
routers.memories: AddMemoryForm MemoryUpdateModel QueryMemoryForm add_memory delete_memory_by_id query_memory update_memory_by_id
routers.models: get_models
routers.pipelines: process_pipeline_inlet_filter process_pipeline_outlet_filter
routers.retrieval: ProcessFileForm ProcessUrlForm SearchForm process_file process_web process_web_search search_web
routers.tasks: generate_chat_tags generate_emoji generate_follow_ups generate_image_prompt generate_queries generate_title
socket.main: get_active_user_ids get_event_call get_event_emitter
storage.provider: Storage
tools.builtin: add_memory fetch_url search_memories search_web view_note write_note
utils.access_control: has_access has_connection_access has_permission
utils.auth: decode_token get_admin_user get_current_user get_verified_user
utils.chat: generate_chat_completion generate_chat_completions
utils.files: convert_markdown_base64_images get_file_url_from_base64 get_image_base64_from_file_id get_image_base64_from_url
utils.files: get_image_url_from_base64
utils.filter: get_sorted_filter_ids process_filter_functions
utils.headers: include_user_info_headers
utils.logger: start_logger stdout_format
utils.mcp.client: MCPClient
utils.middleware: get_citation_source_from_tool_result process_chat_payload process_tool_result
utils.misc: add_or_update_system_message add_or_update_user_message convert_output_to_messages deep_update get_content_from_message
utils.misc: get_last_assistant_message get_last_user_message get_last_user_message_item get_message_list get_messages_content
utils.misc: get_system_message is_string_allowed openai_chat_chunk_message_template openai_chat_completion_message_template
utils.misc: pop_system_message prepend_to_first_user_message_content remove_system_message replace_system_message_content
utils.models: check_model_access get_all_models get_filtered_models
utils.payload: apply_model_params_to_body_openai apply_model_system_prompt_to_body apply_system_prompt_to_body
utils.plugin: extract_frontmatter load_function_module_by_id load_tool_module_by_id
utils.task: get_task_model_id prompt_template rag_template tools_function_calling_generation_template
utils.tools: build_tool_server_headers convert_function_to_pydantic_model get_async_tool_function_and_apply_extra_params
utils.tools: get_builtin_tools get_terminal_tools get_tools get_updated_tool_function has_tool_server_access
utils.webhook: post_webhook
"""

#: The database and the vector store themselves are not given to plugins: they hold everybody's data.
ABSENT = {"internal.db.get_db", "internal.db.get_async_db_context", "retrieval.vector.factory.VECTOR_DB_CLIENT"}


class Names(unittest.TestCase):
    def test_every_name_is_there(self) -> None:
        asked = [line.partition(": ") for line in NAMES.strip().splitlines()]
        names = [(f"open_webui.{module}", name) for module, _, listed in asked for name in listed.split()]
        missing = {full.removeprefix("open_webui.") for module, name in names for full in missing_of(module, [name])}
        print(f"\nnames: {len(names) - len(missing)} of {len(names)} are there")
        self.assertEqual(missing, ABSENT)
