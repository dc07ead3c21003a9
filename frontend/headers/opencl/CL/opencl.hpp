// kfuse: what it declares is in kfuse_cl.h, which was read before.
