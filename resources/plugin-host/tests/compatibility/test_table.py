"""Every symbol of the tiers T1 to T3 of the plugin contract (§9.4): a line of code that uses it, and what comes of it."""

from __future__ import annotations

import textwrap
import unittest
from typing import Any

from tests.compatibility.gateway import GIVEN, Gateway
from tests.harness import Worker

#: tier, module, symbol, code. The code runs in an async tool with `symbol` imported, `r` the request, `u` the user; `assert` says what comes.
CLEAR = "clear failure"
ROWS: list[tuple[str, str, str, str]] = []


def rows(tier: str, module: str, text: str) -> None:
    for line in textwrap.dedent(text).strip().splitlines():
        symbol, _, code = line.partition(" | ")
        ROWS.append((tier, f"open_webui.{module}", symbol.strip(), code.strip()))


rows(
    "T1",
    "models.users",
    """
    Users | assert Users.get_user_by_id("u1").name == "Ada" and (await Users.get_user_by_id("u1")).email == "ada@example.org"
    Users.get_user_by_email | assert Users.get_user_by_email("bob@example.org").id == "u2"
    Users.get_users | assert Users.get_users()["users"][1].id == "u2" and [x.id for x in Users.get_users()] == ["u1", "u2"]
    Users.get_first_user | assert (await Users.get_first_user()).id == "u2"
    Users.get_users_by_user_ids | assert Users.get_users_by_user_ids(["u2"])[0].name == "Bob"
    Users.get_num_users | assert Users.get_num_users() == 2
    Users.update_user_settings_by_id | assert Users.update_user_settings_by_id("u1", {"ui": {"dark": True}}).id == "u1"
    Users.get_user_by_api_key | assert Users.get_user_by_api_key("sk-1") is None
    UserModel | assert UserModel(**u).model_dump()["name"] == "Ada" and UserModel(**u, more=1).settings is None
    User | assert User is UserModel_
    UserResponse | assert UserResponse(id="x").role == "pending"
""",
)
rows(
    "T1",
    "utils.misc",
    """
    get_last_user_message | assert get_last_user_message([{"role": "user", "content": [{"type": "text", "text": "a"}]}]) == "a"
    get_last_user_message_item | assert get_last_user_message_item([{"role": "user", "content": "a"}, {"role": "assistant"}])["content"] == "a"
    get_last_assistant_message | assert get_last_assistant_message([{"role": "assistant", "content": "b"}]) == "b"
    get_system_message | assert get_system_message([{"role": "system", "content": "s"}])["content"] == "s"
    pop_system_message | assert pop_system_message([{"role": "system", "content": "s"}, {"role": "user"}]) == ({"role": "system", "content": "s"}, [{"role": "user"}])
    remove_system_message | assert remove_system_message([{"role": "system"}, {"role": "user"}]) == [{"role": "user"}]
    add_or_update_system_message | m = [{"role": "system", "content": "b"}]; assert add_or_update_system_message("a", m) is m and m[0]["content"] == "a\\nb"
    add_or_update_user_message | assert add_or_update_user_message("b", [{"role": "user", "content": "a"}])[0]["content"] == "a\\nb"
    get_message_list | assert [m["id"] for m in get_message_list({"a": {"id": "a", "parentId": None}, "b": {"id": "b", "parentId": "a"}}, "b")] == ["a", "b"]
    get_messages_content | assert get_messages_content([{"role": "user", "content": "a"}]) == "USER: a"
    get_content_from_message | assert get_content_from_message({"content": "a"}) == "a"
    deep_update | assert deep_update({"a": {"b": 1}}, {"a": {"c": 2}}) == {"a": {"b": 1, "c": 2}}
    is_string_allowed | assert is_string_allowed("a.b", ["b"]) and not is_string_allowed("a.b", ["!b"]) and is_string_allowed("x", None)
    openai_chat_message_template | assert openai_chat_message_template("m")["model"] == "m"
    openai_chat_chunk_message_template | c = openai_chat_chunk_message_template("m", "x"); assert c["choices"][0]["delta"] == {"content": "x"} and c["object"] == "chat.completion.chunk"
    openai_chat_completion_message_template | assert openai_chat_completion_message_template("m", "x")["choices"][0]["message"] == {"role": "assistant", "content": "x"}
    convert_output_to_messages | assert convert_output_to_messages([{"type": "message", "content": [{"type": "output_text", "text": "x"}]}]) == [{"role": "assistant", "content": "x"}]
    calculate_sha256_string | assert len(calculate_sha256_string("x")) == 64
    parse_duration | assert parse_duration("1h30m").total_seconds() == 5400 and parse_duration("-1") is None
    sanitize_filename | assert sanitize_filename("A b?.txt") == "a-b.txt"
    prepend_to_first_user_message_content | assert prepend_to_first_user_message_content("a", [{"role": "user", "content": "b"}])[0]["content"] == "a\\nb"
""",
)
rows(
    "T1",
    "utils.chat",
    """
    generate_chat_completion | x = await generate_chat_completion(r, {"model": "llama", "messages": [], "stream": False}, user_model(u)); assert x["choices"][0]["message"]["content"] == "Good day"
    generate_chat_completions | x = await generate_chat_completions({"model": "llama", "messages": []}, user_model(u), True); assert x["choices"]
    chat_completed | clear failure: await chat_completed(r, {}, u)
    chat_action | clear failure: await chat_action(r, "x", {}, u)
""",
)
rows(
    "T1",
    "env",
    """
    SRC_LOG_LEVELS | assert SRC_LOG_LEVELS["ANYTHING"] == SRC_LOG_LEVELS.get("MAIN") == 20
    AIOHTTP_CLIENT_TIMEOUT | assert AIOHTTP_CLIENT_TIMEOUT is None
    VERSION | assert [int(part) for part in VERSION.split(".")]
    ENABLE_FORWARD_USER_INFO_HEADERS | assert ENABLE_FORWARD_USER_INFO_HEADERS is False
    FORWARD_USER_INFO_HEADER_USER_ID | assert FORWARD_USER_INFO_HEADER_USER_ID.startswith("X-")
    FORWARD_SESSION_INFO_HEADER_CHAT_ID | assert FORWARD_SESSION_INFO_HEADER_CHAT_ID
    DATA_DIR | assert DATA_DIR.is_dir()
    GLOBAL_LOG_LEVEL | assert GLOBAL_LOG_LEVEL == "INFO"
    WEBUI_SECRET_KEY | assert isinstance(WEBUI_SECRET_KEY, str)
""",
)
rows(
    "T1",
    "constants",
    """
    TASKS | assert TASKS.TITLE_GENERATION == "title_generation" == str(TASKS.TITLE_GENERATION) and "x" != TASKS.DEFAULT and callable(TASKS.DEFAULT)
    ERROR_MESSAGES | assert "x" in ERROR_MESSAGES.DEFAULT("x") and isinstance(ERROR_MESSAGES.NOT_FOUND, str)
    MESSAGES | assert MESSAGES.DEFAULT("x") == "x"
""",
)
rows(
    "T2",
    "models.files",
    """
    Files.get_file_by_id | f = Files.get_file_by_id("file1"); assert open(f.path).read() == "file one" and f.data["content"] and f.meta["name"] == "a.txt"
    Files.insert_new_file | f = Files.insert_new_file("u1", {"id": "new1", "filename": "n.txt", "path": "", "data": {"content": "hey"}}); assert f.id == "new1"
    Files.get_files_by_user_id | assert Files.get_files_by_user_id("u1")[0].id == "file1" and Files.get_files_by_user_id("u2") == []
    Files.get_files_by_ids | assert [f.id for f in Files.get_files_by_ids(["file1"])] == ["file1"]
    Files.get_file_metadata_by_id | assert Files.get_file_metadata_by_id("file1").meta["name"] == "a.txt"
    Files.update_file_data_by_id | assert Files.update_file_data_by_id("file1", {"content": "x"}).id == "file1"
    Files.update_file_metadata_by_id | assert Files.update_file_metadata_by_id("file1", {"name": "b"}).id == "file1"
    Files.delete_file_by_id | assert Files.delete_file_by_id("file1") is True
    FileForm | assert FileForm(id="1", filename="a", path="/x", meta={"name": "a"}).meta["name"] == "a"
    FileModel | assert FileModel(id="1").data is None
    FileMeta | assert FileMeta(name="a", other=1).name == "a"
""",
)
rows(
    "T2",
    "models.chats",
    """
    Chats.get_chat_by_id | assert Chats.get_chat_by_id("c1").chat["history"]["currentId"] == "m2" and Chats.get_chat_by_id("other") is None
    Chats.get_chat_by_id_and_user_id | assert Chats.get_chat_by_id_and_user_id("c1", "u1").id == "c1" and await Chats.get_chat_by_id_and_user_id("c1", "u2") is None
    Chats.get_messages_map_by_chat_id | assert set(await Chats.get_messages_map_by_chat_id("c1")) == {"m1", "m2"}
    Chats.get_message_by_id_and_message_id | assert Chats.get_message_by_id_and_message_id("c1", "m2")["content"] == "Hi"
    Chats.upsert_message_to_chat_by_id_and_message_id | assert Chats.upsert_message_to_chat_by_id_and_message_id("c1", "m2", {"content": "x"}).id == "c1"
    Chats.add_message_files_by_id_and_message_id | assert Chats.add_message_files_by_id_and_message_id("c1", "m2", [{"id": "x"}]) == [{"id": "x"}]
    Chats.update_chat_by_id | assert Chats.update_chat_by_id("c1", {"title": "x"}).id == "c1"
    Chats.update_chat_title_by_id | assert Chats.update_chat_title_by_id("c1", "x").id == "c1"
    Chats.insert_chat_files | assert Chats.insert_chat_files("c1", "m2", ["x"], "u1")[0].file_id == "x"
    Chats.get_chats_by_user_id | assert [c.id for c in Chats.get_chats_by_user_id("u1").items] == ["c1"] and Chats.get_chats_by_user_id("u2") == []
    Chats.get_chat_list_by_user_id | assert Chats.get_chat_list_by_user_id("u1", limit=1)[0].title == "Greeting"
    Chats.get_chat_title_id_list_by_user_id | assert Chats.get_chat_title_id_list_by_user_id("u1")[0].title == "Greeting"
    Chats.get_chats_by_user_id_and_search_text | assert Chats.get_chats_by_user_id_and_search_text("u1", "hello")[0].id == "c1"
    Chats.insert_new_chat | assert Chats.insert_new_chat("u1", ChatForm_(chat={"title": "x"})).id == "c1"
    Chats.delete_chat_by_id | assert Chats.delete_chat_by_id("c1") is True
    Chats.add_message_status_to_chat_by_id_and_message_id | assert Chats.add_message_status_to_chat_by_id_and_message_id("c1", "m2", {"done": True}).id == "c1"
    Chats.get_chat_folder_id | assert Chats.get_chat_folder_id("c1", "u1") == "f1"
    ChatForm | assert ChatForm(chat={}).folder_id is None
    ChatModel | assert ChatModel(id="x").chat == {}
""",
)
rows(
    "T2",
    "models.models",
    """
    Models.get_model_by_id | m = Models.get_model_by_id("llama"); assert m.params.model_dump() == {"temperature": 0.5} and m.meta.capabilities == {"vision": True} and m.base_model_id is None
    Models.get_all_models | assert [m.id for m in Models.get_all_models()] == ["llama", "preset"]
    Models.get_models | assert [m.id for m in Models.get_models()] == ["preset"]
    Models.get_base_models | assert [m.id for m in Models.get_base_models()] == ["llama"]
    Models.insert_new_model | assert Models.insert_new_model(ModelForm_(id="x", name="x"), "u1").id == "llama"
    Models.update_model_by_id | assert Models.update_model_by_id("llama", ModelForm_(id="llama")).id == "llama"
    ModelForm | assert ModelForm(id="x").params.model_dump() == {}
    ModelParams | assert ModelParams(temperature=1).model_dump() == {"temperature": 1}
    ModelMeta | assert ModelMeta(knowledge=[1]).knowledge == [1]
    ModelModel | assert ModelModel(id="x").is_active
""",
)
rows(
    "T2",
    "models.functions",
    """
    Functions.get_function_by_id | assert Functions.get_function_by_id("f").type == "filter" and Functions.get_function_by_id("nothing") is None
    Functions.get_functions | assert Functions.get_functions()[0].id == "pipe1"
    Functions.get_functions_by_type | assert Functions.get_functions_by_type("filter", active_only=True)[0].is_active
    Functions.get_function_valves_by_id | assert Functions.get_function_valves_by_id("f")["of"] == "f"
    Functions.update_function_valves_by_id | assert Functions.update_function_valves_by_id("f", {"a": 1}).valves == {"a": 1}
    Functions.get_user_valves_by_id_and_user_id | assert Functions.get_user_valves_by_id_and_user_id("f", "u1") and Functions.get_user_valves_by_id_and_user_id("f", "u2") is None
    Functions.update_user_valves_by_id_and_user_id | assert Functions.update_user_valves_by_id_and_user_id("f", "u1", {"a": 1}) == {"a": 1}
    Functions.get_global_filter_functions | assert Functions.get_global_filter_functions()[0].id == "pipe1"
    FunctionModel | assert FunctionModel(id="x").is_active is False
""",
)
rows(
    "T2",
    "models.tools",
    """
    Tools.get_tool_by_id | assert Tools.get_tool_by_id("t").id == "t"
    Tools.get_tools | assert Tools.get_tools()[0].id == "pipe1"
    Tools.get_tools_by_user_id | assert Tools.get_tools_by_user_id("u1")
    Tools.get_tool_valves_by_id | assert Tools.get_tool_valves_by_id("t")["of"] == "t"
    Tools.get_user_valves_by_id_and_user_id | assert Tools.get_user_valves_by_id_and_user_id("t", "u1")["of"] == "t"
    ToolModel | assert ToolModel(id="x").specs == []
""",
)
rows(
    "T2",
    "models.config",
    """
    Config.get | assert Config.get("task.model.default") == "small" and await Config.get("nothing.at.all", 7) == 7
    Config.get_many | assert Config.get_many("rag.top_k", "TASK_MODEL") == {"rag.top_k": 4, "TASK_MODEL": "small"}
""",
)
rows(
    "T2",
    "storage.provider",
    """
    Storage.upload_file | import io; data, path = Storage.upload_file(io.BytesIO(b"abc"), "x.txt", {}); assert data == b"abc" and open(path).read() == "abc"
    Storage.get_file | f = files_().get_file_by_id("file1"); assert open(Storage.get_file(f.path), "rb").read() == b"file one"
    Storage.delete_file | import io, os; path = Storage.upload_file(io.BytesIO(b"abc"), "y.txt", {})[1]; Storage.delete_file(path); assert not os.path.exists(path)
""",
)
rows(
    "T2",
    "routers.files",
    """
    upload_file_handler | f = upload_file_handler(r, upload_("n.txt", b"abc"), {"k": 1}, True, user=u); assert f.id and (await upload_file_handler(r, file=upload_("n.txt", b"abc"), metadata=None)).filename == "n.txt"
    upload_file | assert upload_file(r, None, upload_("n.txt", b"abc"), {"k": 1}, process=False, user=u).meta["data"] == {"k": 1}
    get_file_content_by_id | assert open((await get_file_content_by_id("file1", user=u)).path).read() == "file one"
    get_file_by_id | assert get_file_by_id("file1", u).filename == "a.txt"
    delete_file_by_id | assert (await delete_file_by_id("file1", u))["message"]
""",
)
rows(
    "T2",
    "main",
    """
    app | assert "llama" in app.state.MODELS and app.state.config.TOP_K == 4 and app.url_path_for("get_file_content_by_id", id="x") == "/api/v1/files/x/content"
    generate_chat_completions | assert (await generate_chat_completions(form_data={"model": "llama", "messages": []}, user=u))["choices"]
    generate_chat_completion | assert (await generate_chat_completion(r, {"model": "llama", "messages": []}, u))["choices"]
    chat_completion | assert (await chat_completion(r, {"model": "llama", "messages": []}, u))["choices"]
    Request | assert Request(scope={"type": "http", "app": r.app, "headers": []}).app is r.app
    get_all_models | assert (await get_all_models(r))[0]["id"] == "llama"
""",
)
rows(
    "T2",
    "config",
    """
    DATA_DIR | assert DATA_DIR.is_dir()
    UPLOAD_DIR | assert UPLOAD_DIR.is_dir()
    CACHE_DIR | assert CACHE_DIR.is_dir()
    WEBUI_URL | assert WEBUI_URL.value is None
    get_config | assert get_config()["TASK_MODEL"] == "small"
    TASK_MODEL | assert TASK_MODEL.value == "small"
""",
)
rows(
    "T3",
    "routers.images",
    """
    image_generations | clear failure: await image_generations(r, GenerateImageForm_(prompt="x"), u)
    GenerateImageForm | assert GenerateImageForm(prompt="x").n == 1
    upload_image | url = upload_image(r, {"a": 1}, b"png", "image/png", u); f, same = await upload_image(r, b"png", "image/png", {"a": 1}, u); assert url.startswith("/api/v1/files/") and same.endswith(f"{f.id}/content")
    load_b64_image_data | assert load_b64_image_data("data:image/png;base64,YWJj") == (b"abc", "image/png")
""",
)
rows(
    "T3",
    "routers.memories",
    """
    add_memory | assert (await add_memory(r, AddMemoryForm_(content="x"), u)).id == "y1"
    AddMemoryForm | assert AddMemoryForm(content="x").content == "x"
    query_memory | assert (await query_memory(r, QueryMemoryForm_(content="x", k=3), u)).documents == [["Likes tea"]]
    QueryMemoryForm | assert QueryMemoryForm(content="x").k == 1
    update_memory_by_id | assert (await update_memory_by_id("y1", r, MemoryUpdateModel_(content="x"), u)).id == "y1"
    MemoryUpdateModel | assert MemoryUpdateModel(content="x").content == "x"
    delete_memory_by_id | assert await delete_memory_by_id("y1", u) is True
    get_memories | assert (await get_memories(u))[0].content == "Likes tea"
""",
)
rows(
    "T3",
    "routers.retrieval",
    """
    process_file | assert process_file(r, ProcessFileForm_(file_id="x"), user=u)["status"]
    ProcessFileForm | assert ProcessFileForm(file_id="x").content is None
    process_web | assert process_web(r, ProcessUrlForm_(url="https://example.org"), user=u)["content"] == "page"
    ProcessUrlForm | assert ProcessUrlForm(url="x").url == "x"
    process_text | assert process_text(r, {"name": "n", "content": "c"})["status"]
    process_web_search | assert (await process_web_search(r, SearchForm_(queries=["x"]), u))["items"]
    SearchForm | assert SearchForm(queries=["x"]).queries == ["x"]
    query_doc_handler | assert query_doc_handler(r, QueryDocForm_(collection_name="x", query="y"), u)["documents"]
    QueryDocForm | assert QueryDocForm(collection_name="x", query="y").k is None
    query_collection_handler | assert query_collection_handler(r, QueryCollectionsForm_(collection_names=["x"], query="y"), u)["documents"]
    QueryCollectionsForm | assert QueryCollectionsForm(collection_names=["x"], query="y").hybrid is None
    search_web | assert search_web(r, "searxng", "x")[0].link == "https://example.org"
""",
)
rows(
    "T3",
    "retrieval.utils",
    """
    query_collection | assert query_collection(["k1"], ["x"], None, 4)["documents"] == [["a passage"]]
    query_collection_with_hybrid_search | assert query_collection_with_hybrid_search(["k1"], ["x"], None, 4)["documents"]
    get_sources_from_items | s = get_sources_from_items(r, [{"type": "file", "id": "file1"}], ["x"], None, 4); assert s[0]["document"] == ["a passage"]
    get_sources_from_files | s = await get_sources_from_files(r, [{"type": "file", "id": "file1"}], ["x"], full_context=True); assert s[0]["document"] == ["text of it"]
    get_embedding_function | assert get_embedding_function()("four") == [4.0, 0.0]
    generate_embeddings | assert await generate_embeddings("", "", ["a", "bb"]) == [[1.0, 0.0], [2.0, 0.0]]
    get_all_items_from_collections | assert get_all_items_from_collections(["file-file1"])["documents"] == [["text of it"]]
    VectorSearchRetriever | clear failure: VectorSearchRetriever(collection_name="x")
""",
)
rows(
    "T3",
    "models.memories",
    """
    Memories.get_memories_by_user_id | assert Memories.get_memories_by_user_id("u1")[0].content == "Likes tea" and Memories.get_memories_by_user_id("u2") == []
    Memories.insert_new_memory | assert Memories.insert_new_memory("u1", "x").id == "y1"
    Memories.update_memory_by_id_and_user_id | assert Memories.update_memory_by_id_and_user_id("y1", "u1", "x").id == "y1"
    Memories.delete_memory_by_id_and_user_id | assert Memories.delete_memory_by_id_and_user_id("y1", "u1") is True
    MemoryModel | assert MemoryModel(id="x").content == ""
""",
)
rows(
    "T3",
    "models.groups",
    """
    Groups.get_groups_by_member_id | assert Groups.get_groups_by_member_id("u1")[0].name == "Team" and Groups.get_groups_by_member_id("u2") == []
    Groups.get_groups | assert Groups.get_groups()[0].id == "g1"
    Groups.get_group_by_id | assert Groups.get_group_by_id("g1").name == "Team"
    Groups.get_group_user_ids_by_id | assert Groups.get_group_user_ids_by_id("g1") == ["u1"]
    GroupModel | assert GroupModel(id="x").user_ids == []
""",
)
rows(
    "T3",
    "models.folders",
    """
    Folders.get_folder_by_id_and_user_id | assert Folders.get_folder_by_id_and_user_id("f1", "u1").name == "Travel" and Folders.get_folder_by_id_and_user_id("f1", "u2") is None
    Folders.get_folders_by_user_id | assert Folders.get_folders_by_user_id("u1")[0].id == "f1"
    Folders.insert_new_folder | assert Folders.insert_new_folder("u1", "Travel").id == "f1"
    Folders.get_folder_by_parent_id_and_user_id_and_name | assert Folders.get_folder_by_parent_id_and_user_id_and_name(None, "u1", "travel").id == "f1"
    FolderForm | assert FolderForm(name="x").data is None
""",
)
rows(
    "T3",
    "models.skills",
    """
    Skills.get_skills | assert Skills.get_skills() == []
    Skills.get_skill_by_id | assert Skills.get_skill_by_id("x") is None
    Skills.insert_new_skill | clear failure: Skills.insert_new_skill("u1", {})
""",
)
rows(
    "T3",
    "models.feedbacks",
    """
    Feedbacks.get_feedbacks_by_user_id | assert Feedbacks.get_feedbacks_by_user_id("u1")[0].id == "r1" and Feedbacks.get_feedbacks_by_user_id("u2") == []
    Feedbacks.insert_new_feedback | assert Feedbacks.insert_new_feedback("u1", FeedbackForm_(type="rating", data={"rating": 1})).id == "r1"
    Feedbacks.get_feedback_by_id | assert Feedbacks.get_feedback_by_id("r1").data["rating"] == 1
    Feedbacks.get_all_feedbacks | assert Feedbacks.get_all_feedbacks()
    FeedbackForm | assert FeedbackForm().type == "rating"
""",
)
rows(
    "T3",
    "models.knowledge",
    """
    Knowledges.get_knowledge_by_id | assert Knowledges.get_knowledge_by_id("k1").data["file_ids"] == ["file1"]
    Knowledges.get_knowledge_bases | assert Knowledges.get_knowledge_bases()[0].name == "Manuals"
    Knowledges.get_knowledge_bases_by_user_id | assert Knowledges.get_knowledge_bases_by_user_id("u1", "read")[0].id == "k1"
    Knowledges.get_files_by_id | assert Knowledges.get_files_by_id("k1")[0].filename == "a.txt"
    Knowledges.insert_new_knowledge | assert Knowledges.insert_new_knowledge("u1", {"name": "x"}).id == "k1"
    Knowledges.update_knowledge_data_by_id | assert Knowledges.update_knowledge_data_by_id("k1", {"file_ids": ["file1", "file2"]}).id == "k1"
    Knowledges.add_file_to_knowledge_by_id | assert Knowledges.add_file_to_knowledge_by_id("k1", "file2", "u1").id == "k1"
""",
)
rows(
    "T3",
    "models.messages",
    """
    Messages.get_messages_by_channel_id | assert Messages.get_messages_by_channel_id("x") == []
    Messages.get_message_by_id | assert Messages.get_message_by_id("x") is None
    Messages.insert_new_message | clear failure: Messages.insert_new_message({}, "x", "u1")
""",
)
rows(
    "T3",
    "utils.tools",
    """
    get_tools | t = get_tools(r, ["calc", "no"], u, {}); assert list(t) == ["add"] and await t["add"]["callable"](a=1) == "calc.add{'a': 1}" and (await get_tools(r, ["calc"], u))["add"]["tool_id"] == "calc"
    get_builtin_tools | t = get_builtin_tools(r, {"__user__": u}); assert "search_memories" in t and "Likes tea" in await t["search_memories"]["callable"](query="tea")
    get_terminal_tools | assert await get_terminal_tools(r, "x", u, {}) == {}
    get_tool_specs | assert get_tool_specs(Kit_())[0]["name"] == "add"
    convert_function_to_spec | assert convert_function_to_spec(Kit_().add)["parameters"]["required"] == ["a"]
    get_async_tool_function_and_apply_extra_params | assert await get_async_tool_function_and_apply_extra_params(Kit_().add, {"b": 2})(a=1) == 3
    get_tool_servers | assert await get_tool_servers(r) == []
""",
)
rows(
    "T3",
    "utils.middleware",
    """
    process_tool_result | x = process_tool_result(r, "f", {"a": 1}, "function"); assert '"a": 1' in x[0] and x[1:] == ([], []) and await process_tool_result(r, "f", ["data:x", 1], "function") == ('{\\n  "results": [\\n    1\\n  ]\\n}', [{"type": "data", "content": "data:x"}], [])
    get_citation_source_from_tool_result | assert get_citation_source_from_tool_result("f", {}, "text", "t")[0]["source"]["name"] == "t/f"
    apply_source_context_to_messages | x = apply_source_context_to_messages(r, [{"role": "user", "content": "q"}], [{"source": {"name": "s"}, "document": ["d"], "metadata": [{"source": "s"}]}], "q"); assert '<source id="1"' in x[0]["content"]
    process_chat_payload | clear failure: await process_chat_payload(r, {}, u, {}, {})
""",
)
rows(
    "T3",
    "utils.filter",
    """
    get_sorted_filter_ids | assert get_sorted_filter_ids(r, {"id": "llama"}, []) == ["pipe1"]
    process_filter_functions | assert await process_filter_functions(request=r, filter_functions=[], filter_type="inlet", form_data={"a": 1}, extra_params={}) == ({"a": 1}, {})
""",
)
rows(
    "T3",
    "utils.plugin",
    """
    extract_frontmatter | assert extract_frontmatter('\"\"\"\\ntitle: X\\n\"\"\"')["title"] == "X"
    load_tool_module_by_id | assert load_tool_module_by_id("row")[0] is self
    load_function_module_by_id | clear failure: load_function_module_by_id("other")
    get_function_module_from_cache | clear failure: get_function_module_from_cache(r, "other")
    replace_imports | assert replace_imports("from utils import x") == "from utils import x"
""",
)
rows(
    "T3",
    "utils.headers",
    """
    include_user_info_headers | h = include_user_info_headers({"A": "b"}, user_model(u)); assert h["A"] == "b" and "u1" in h.values()
""",
)
rows(
    "T3",
    "utils.access_control",
    """
    has_connection_access | assert has_connection_access(user_model(u), {"config": {"access_control": None}}) and not await has_connection_access(user_model(u), {"config": {"access_control": {}}})
    has_access | assert has_access("u1", "read", {"read": {"group_ids": ["g1"]}}) and not has_access("u1", "write", None)
    has_permission | assert has_permission("u1", "chat.controls") and not has_permission("u1", "chat.delete") and not has_permission("u2", "chat.controls")
    get_permissions | assert get_permissions("u1", {})["chat"]["controls"]
""",
)
rows(
    "T3",
    "utils.mcp.client",
    """
    MCPClient | clear failure: await MCPClient().connect("http://localhost:1")
""",
)
rows(
    "T3",
    "utils.models",
    """
    get_all_models | assert (await get_all_models(r, user=u))[0]["id"] == "llama"
    check_model_access | await check_model_access(u, {"id": "llama"})
    get_filtered_models | assert len(await get_filtered_models([{"id": "llama"}, {"id": "secret"}], u)) == 1
""",
)
rows(
    "T3",
    "utils.logger",
    """
    start_logger | start_logger()
""",
)
rows(
    "T3",
    "utils.payload",
    """
    apply_system_prompt_to_body | assert apply_system_prompt_to_body("{{USER_NAME}}", {"messages": []}, {}, user_model(u))["messages"][0]["content"] == "Ada"
    apply_model_params_to_body_openai | assert apply_model_params_to_body_openai({"temperature": "1", "x": 2}, {}) == {"temperature": 1.0}
    apply_model_system_prompt_to_body | assert apply_model_system_prompt_to_body({"system": "s"}, {"messages": []})["messages"][0]["role"] == "system"
""",
)
rows(
    "T3",
    "utils.auth",
    """
    get_current_user | assert get_current_user(None).id == "u1"
    get_verified_user | assert get_verified_user(user_model(u)).id == "u1"
    get_admin_user | clear failure: get_admin_user(user_model(u))
    decode_token | assert decode_token("x") is None
    create_token | clear failure: create_token({"id": "u1"})
""",
)
rows(
    "T3",
    "tools.builtin",
    """
    search_web | assert "example.org" in await search_web("x", __request__=r, __user__=u)
    fetch_url | assert await fetch_url("https://example.org") == "page"
    search_memories | assert "Likes tea" in await search_memories("tea")
    add_memory | assert "success" in await add_memory("x")
    query_knowledge_bases | assert "a passage" in await query_knowledge_bases("x")
    query_knowledge_files | assert "a passage" in await query_knowledge_files("x", ["k1"])
    list_knowledge_bases | assert "Manuals" in await list_knowledge_bases()
    search_chats | assert "Greeting" in await search_chats("x")
    view_chat | assert "Hello" in await view_chat("c1")
    search_notes | assert "List" in await search_notes("x")
    view_note | assert "Tent" in await view_note("n1")
    write_note | assert "n1" in await write_note("a", "b")
    view_file | assert "text of it" in await view_file("file1")
    get_current_timestamp | assert "current_timestamp" in await get_current_timestamp()
    generate_image | assert "no image engine" in await generate_image("x")
""",
)
rows(
    "T3",
    "socket.main",
    """
    get_active_user_ids | assert get_active_user_ids() == ["u1"]
    get_event_emitter | assert callable(get_event_emitter({}))
    get_event_call | assert get_event_call({}) is None
""",
)
rows(
    "T4",
    "internal.db",
    """
    get_db | clear failure: get_db()
    get_async_db_context | clear failure: get_async_db_context()
    Session | clear failure: Session.query(1)
    Base | clear failure: type("Row", (object,), {}) and Base()
""",
)
rows(
    "T4",
    "retrieval.vector.connector",
    """
    VECTOR_DB_CLIENT | clear failure: VECTOR_DB_CLIENT.search("x", [], 1)
""",
)

HEAD = """
import io

def user_model(u):
    from open_webui.models.users import UserModel
    return UserModel(**u)

def files_():
    from open_webui.models.files import Files
    return Files

class Kit_:
    def add(self, a: int, b: int = 1) -> int:
        "Adds."
        return a + b

def upload_(name, content):
    from starlette.datastructures import UploadFile
    return UploadFile(file=io.BytesIO(content), filename=name)
"""


def source(module: str, symbol: str, code: str) -> str:
    """A tool that imports one symbol at its top and uses it."""
    name = symbol.partition(".")[0]
    # The plugin's own class has this name, too.
    code = code.replace("Tools.", "HostTools.") if name == "Tools" else code
    lines = [HEAD, f"from {module} import {name}{' as HostTools' if name == 'Tools' else ''}"]
    for word in sorted({word for word in _words(code) if word.endswith("_") and word[0].isupper() and word != "Kit_"}):
        lines.append(f"from {module} import {word[:-1]} as {word}")
    body = code.removeprefix(f"{CLEAR}: ")
    lines += ["", "class Tools:", "    async def use(self, __request__=None, __user__=None):", "        r, u = __request__, __user__"]
    lines += [f"        {part.strip()}" for part in body.split("; ")]
    return "\n".join([*lines, '        return "used"'])


def _words(code: str) -> list[str]:
    return "".join(letter if letter.isalnum() or letter == "_" else " " for letter in code).split()


class Table(unittest.TestCase):
    worker: Worker
    gateway: Gateway

    @classmethod
    def setUpClass(cls) -> None:
        cls.worker = Worker()
        cls.gateway = Gateway(cls.worker)
        cls.worker.wait_for("ready")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.worker.close()

    def test_every_symbol(self) -> None:
        counts: dict[str, list[int]] = {}
        for tier, module, symbol, code in ROWS:
            counted = counts.setdefault(tier, [0, 0])
            with self.subTest(f"{module} {symbol}"):
                self.worker.load("row", source(module, symbol, code))
                pending = self.worker.start("tool", "row", name="use", arguments={}, given=GIVEN)
                if code.startswith(CLEAR):
                    counted[1] += 1
                    self.check_failure(symbol, pending)
                else:
                    counted[0] += 1
                    self.assertEqual(pending.value()["text"], "used")
        print(
            "\ncompatibility: " + ", ".join(f"{tier} {used} work, {failed} fail clearly" for tier, (used, failed) in sorted(counts.items()))
        )

    def check_failure(self, symbol: str, pending: Any) -> None:
        from tests.harness import Failure

        with self.assertRaises(Failure) as caught:
            pending.value()
        error = caught.exception.error
        self.assertIn(error["type"], ("NotInThisGateway", "HTTPException"), error["message"])
        named = symbol.partition(".")[0] in error["message"] or "engine" in error["message"] or "administrators" in error["message"]
        self.assertTrue(named or "“other”" in error["message"], error["message"])
        if error["type"] == "NotInThisGateway":
            self.assertTrue(any(log["level"] == "error" for log in pending.of("log")), "it is logged")
