"""Records of people: memories, groups, folders, skills, feedback, knowledge, messages."""

from tests.compatibility.rows import Row, rows

ROWS: list[Row] = [
    *rows(
        "T3",
        "models.memories",
        """
        Memories.get_memories_by_user_id | assert Memories.get_memories_by_user_id("u1")[0].content == "Likes tea" and Memories.get_memories_by_user_id("u2") == []
        Memories.insert_new_memory | assert Memories.insert_new_memory("u1", "x").id == "y1"
        Memories.update_memory_by_id_and_user_id | assert Memories.update_memory_by_id_and_user_id("y1", "u1", "x").id == "y1"
        Memories.delete_memory_by_id_and_user_id | assert Memories.delete_memory_by_id_and_user_id("y1", "u1") is True
        MemoryModel | assert MemoryModel(id="x").content == ""
        """,
    ),
    *rows(
        "T3",
        "models.groups",
        """
        Groups.get_groups_by_member_id | assert Groups.get_groups_by_member_id("u1")[0].name == "Team" and Groups.get_groups_by_member_id("u2") == []
        Groups.get_groups | assert Groups.get_groups()[0].id == "g1"
        Groups.get_group_by_id | assert Groups.get_group_by_id("g1").name == "Team"
        Groups.get_group_user_ids_by_id | assert Groups.get_group_user_ids_by_id("g1") == ["u1"]
        GroupModel | assert GroupModel(id="x").user_ids == []
        """,
    ),
    *rows(
        "T3",
        "models.folders",
        """
        Folders.get_folder_by_id_and_user_id | assert Folders.get_folder_by_id_and_user_id("f1", "u1").name == "Travel" and Folders.get_folder_by_id_and_user_id("f1", "u2") is None
        Folders.get_folders_by_user_id | assert Folders.get_folders_by_user_id("u1")[0].id == "f1"
        Folders.insert_new_folder | assert Folders.insert_new_folder("u1", "Travel").id == "f1"
        Folders.get_folder_by_parent_id_and_user_id_and_name | assert Folders.get_folder_by_parent_id_and_user_id_and_name(None, "u1", "travel").id == "f1"
        FolderForm | assert FolderForm(name="x").data is None
        """,
    ),
    *rows(
        "T3",
        "models.skills",
        """
        Skills.get_skills | assert Skills.get_skills()[0].content == "Be brief."
        Skills.get_skill_by_id | assert Skills.get_skill_by_id("letters").name == "Letters"
        Skills.get_skills_by_user_id | assert (await Skills.get_skills_by_user_id("u1", "read"))[0].id == "letters" and await Skills.get_skills_by_user_id("u1", "write") == []
        SkillForm | assert SkillForm(id="x", name="X").name == "X"
        Skills.update_skill_by_id | assert Skills.update_skill_by_id("letters", {"name": "x"}).id == "letters"
        Skills.insert_new_skill | assert Skills.insert_new_skill("u1", {"id": "letters", "name": "Letters", "content": "x"}).id == "letters"
        """,
    ),
    *rows(
        "T3",
        "models.feedbacks",
        """
        Feedbacks.get_feedbacks_by_user_id | assert Feedbacks.get_feedbacks_by_user_id("u1")[0].id == "r1" and Feedbacks.get_feedbacks_by_user_id("u2") == []
        Feedbacks.insert_new_feedback | assert Feedbacks.insert_new_feedback("u1", FeedbackForm_(type="rating", data={"rating": 1})).id == "r1"
        Feedbacks.get_feedback_by_id | assert Feedbacks.get_feedback_by_id("r1").data["rating"] == 1
        Feedbacks.get_all_feedbacks | assert Feedbacks.get_all_feedbacks()
        FeedbackForm | assert FeedbackForm().type == "rating"
        """,
    ),
    *rows(
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
    ),
    *rows(
        "T3",
        "models.messages",
        """
        Messages.get_messages_by_channel_id | assert Messages.get_messages_by_channel_id("x") == []
        Messages.get_message_by_id | assert Messages.get_message_by_id("x") is None
        Messages.insert_new_message | clear failure: Messages.insert_new_message({}, "x", "u1")
        """,
    ),
    *rows(
        "T3",
        "models.channels",
        """
        Channels.get_channels | assert Channels.get_channels() == []
        Channels.get_channel_by_id | assert await Channels.get_channel_by_id("x") is None
        Channels.insert_new_channel | clear failure: Channels.insert_new_channel({}, "u1")
        """,
    ),
    *rows(
        "T3",
        "models.prompts",
        """
        Prompts | assert Prompts.get_prompt_by_command("/tea").content == "Make tea." and len(await Prompts.get_prompts()) == 1 and Prompts.get_prompts_by_user_id("u2") == []
        PromptModel | assert PromptModel(command="a").command == "a"
        """,
    ),
    *rows(
        "T3",
        "models.tags",
        """
        Tags | assert Tags.get_tags_by_user_id("u1")[0].name == "x"
        """,
    ),
    *rows(
        "T3",
        "models.oauth_sessions",
        """
        OAuthSessions | assert OAuthSessions.get_session_by_id("x") is None
        """,
    ),
    *rows(
        "T3",
        "models.access_grants",
        """
        AccessGrants | assert await AccessGrants.get_grants_by_resource("model", "x") == []
        """,
    ),
]
