"""A run under a plain Trainer, and the player of it in a program."""

import pytorch_lightning as pl

import c4

config = c4.load_config("hydra.searchpath=[file://conf]", "experiment=mine", "network.channels=4")
module = c4.C4Module.of(config)
trainer = pl.Trainer(
    max_epochs=1, accelerator="cpu", logger=False, enable_progress_bar=False, enable_checkpointing=False
)
trainer.fit(module, datamodule=c4.C4DataModule.of(config))
module.save_player("mine.safetensors", card={"about": "a script of my own"})
agent = c4.load_agent("mine.safetensors", "simulations=16", "inference=torch", "trusted=[my_parts.Net]")
print("plays column", agent.act("12"))
agent.close()
