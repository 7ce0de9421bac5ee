"""Routes that are called as functions, finding passages, built-in tools and the socket."""

from tests.compatibility.rows import Row, rows

ROWS: list[Row] = [
    *rows(
        "T3",
        "routers.images",
        """
        image_generations | made = await image_generations(request=r, form_data=GenerateImageForm_(prompt="x"), user=u); assert made == [{"url": "/api/v1/files/p1/content"}]
        GenerateImageForm | assert GenerateImageForm(prompt="x").n == 1
        upload_image | url = upload_image(r, {"a": 1}, b"png", "image/png", u); f, same = await upload_image(r, b"png", "image/png", {"a": 1}, u); assert url.startswith("/api/v1/files/") and same.endswith(f"{f.id}/content")
        upload_image | f, url = upload_image(r, b"png", "image/png", {"a": 1}, u); (same, other) = upload_image(r, b"png", "image/png", {"a": 1}, u); assert url.endswith(f"{f.id}/content") and other.endswith(f"{same.id}/content")
        image_edits | assert (await image_edits(r, EditImageForm_(image="x", prompt="x"), u))[0]["url"].endswith("/content")
        load_b64_image_data | assert load_b64_image_data("data:image/png;base64,YWJj") == (b"abc", "image/png")
        """,
    ),
    *rows(
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
    ),
    *rows(
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
    ),
    *rows(
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
        get_content_from_url | text, pages = get_content_from_url(r, "https://example.org"); assert text == "page" and pages[0].page_content == "page" and pages[0].metadata["source"] == "https://example.org"
        VectorSearchRetriever | clear failure: VectorSearchRetriever(collection_name="x")
        """,
    ),
    *rows(
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
        generate_image | assert "/api/v1/files/p1/content" in await generate_image("x")
        edit_image | assert "/api/v1/files/p1/content" in await edit_image("x", ["y"])
        """,
    ),
    *rows(
        "T3",
        "socket.main",
        """
        get_active_user_ids | assert get_active_user_ids() == ["u1"]
        get_event_emitter | assert callable(get_event_emitter({}))
        get_event_call | assert get_event_call({}) is None
        """,
    ),
    *rows(
        "T3",
        "routers.models",
        """
        get_models | assert [m.id for m in await get_models(user=user_model(u))] == ["preset"]
        get_base_models | assert [(m.id, m.is_active, m.model_dump()["meta"]["description"]) for m in await get_base_models(user=user_model(u))] == [("llama", True, None)]
        get_model_by_id | assert (await get_model_by_id("llama", user_model(u))).name == "Llama"
        """,
    ),
    *rows(
        "T3",
        "routers.tasks",
        """
        generate_title | x = await generate_title(r, {"model": "llama", "messages": [{"role": "user", "content": "Hi"}]}, user_model(u)); assert x["choices"][0]["message"]["content"] == "Good day"
        generate_chat_tags | assert (await generate_chat_tags(request=r, form_data={"model": "llama", "messages": []}, user=u))["choices"]
        generate_follow_ups | assert (await generate_follow_ups(r, {"model": "llama", "messages": []}, u))["choices"]
        generate_queries | assert (await generate_queries(r, {"model": "llama", "messages": [], "type": "web_search"}, u))["choices"]
        generate_image_prompt | assert (await generate_image_prompt(r, {"model": "llama", "messages": []}, u))["choices"]
        generate_emoji | assert (await generate_emoji(r, {"model": "llama", "prompt": "Tea"}, u))["choices"]
        """,
    ),
    *rows(
        "T3",
        "routers.pipelines",
        """
        process_pipeline_inlet_filter | assert await process_pipeline_inlet_filter(r, {"a": 1}, u, {}) == {"a": 1}
        process_pipeline_outlet_filter | assert await process_pipeline_outlet_filter(r, {"a": 1}, u, {}) == {"a": 1}
        """,
    ),
    *rows(
        "T3",
        "functions",
        """
        generate_function_chat_completion | assert (await generate_function_chat_completion(r, {"model": "llama", "messages": []}, u))["choices"]
        """,
    ),
]
