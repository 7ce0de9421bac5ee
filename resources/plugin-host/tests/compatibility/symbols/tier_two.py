"""Files, chats, models, plugins, settings and the application itself."""

from tests.compatibility.rows import Row, rows

ROWS: list[Row] = [
    *rows(
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
    ),
    *rows(
        "T2",
        "models.chats",
        """
        Chats.get_chat_by_id | assert Chats.get_chat_by_id("c1").chat["history"]["currentId"] == "m2" and Chats.get_chat_by_id("other") is None and await Chats.get_chat_by_id("") is None
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
    ),
    *rows(
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
    ),
    *rows(
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
    ),
    *rows(
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
    ),
    *rows(
        "T2",
        "models.config",
        """
        Config.get | assert Config.get("task.model.default") == "small" and await Config.get("nothing.at.all", 7) == 7
        Config.get_many | assert Config.get_many("rag.top_k", "TASK_MODEL") == {"rag.top_k": 4, "TASK_MODEL": "small"}
        """,
    ),
    *rows(
        "T2",
        "storage.provider",
        """
        Storage.upload_file | import io; data, path = Storage.upload_file(io.BytesIO(b"abc"), "x.txt", {}); assert data == b"abc" and open(path).read() == "abc"
        Storage.get_file | f = files_().get_file_by_id("file1"); assert open(Storage.get_file(f.path), "rb").read() == b"file one"
        Storage.delete_file | import io, os; path = Storage.upload_file(io.BytesIO(b"abc"), "y.txt", {})[1]; Storage.delete_file(path); assert not os.path.exists(path)
        """,
    ),
    *rows(
        "T2",
        "routers.files",
        """
        upload_file_handler | f = upload_file_handler(r, upload_("n.txt", b"abc"), {"k": 1}, True, user=u); assert f.id and (await upload_file_handler(r, file=upload_("n.txt", b"abc"), metadata=None)).filename == "n.txt"
        upload_file | assert upload_file(r, None, upload_("n.txt", b"abc"), {"k": 1}, process=False, user=u).meta["data"] == {"k": 1}
        get_file_content_by_id | assert open((await get_file_content_by_id("file1", user=u)).path).read() == "file one"
        get_file_by_id | assert get_file_by_id("file1", u).filename == "a.txt"
        delete_file_by_id | assert (await delete_file_by_id("file1", u))["message"]
        """,
    ),
    *rows(
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
    ),
    *rows(
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
    ),
]
